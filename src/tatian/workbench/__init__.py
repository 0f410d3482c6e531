"""The workbench for annotation and judging: campaigns, annotators, storage, a web server.

Needs the `workbench` extra. `tatian annotate serve` starts it; `tatian campaign` works on the same
database from the command line.
"""
