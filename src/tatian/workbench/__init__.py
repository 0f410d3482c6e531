"""Where people annotate and judge: campaigns, annotators, storage, a web server and its pages.

Needs the `workbench` extra. `tatian annotate serve` starts it; `tatian campaign` works on the same
database from the command line.
"""
