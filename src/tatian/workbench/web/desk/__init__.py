"""The desk in the browser: its API and its pages."""

from tatian.workbench.web.desk import accounts, asking, pages, text
from tatian.workbench.web.routing import Pages, Routes

ROUTES = Routes((*accounts.ROUTES, *text.ROUTES, *asking.ROUTES))
PAGES = Pages(pages.PAGES)
