"""Only what all of some sentences say: the opposite of a union."""

from tatian.union.intersection.checking import intersection_holds
from tatian.union.intersection.model import Intersected, Intersection

__all__ = ["Intersected", "Intersection", "intersection_holds"]
