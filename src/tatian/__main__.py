"""Lets ``python -m tatian`` stand for the ``tatian`` command."""

from tatian.cli import main

if __name__ == "__main__":
    main()
