"""Nothing of the environment reaches the tests of the prompt model."""

from ...chat.conftest import plain_environment

__all__ = ["plain_environment"]
