"""The public names: type checkers read them here, and so does the package itself."""

from tatian.consolidation import Consolidation as Consolidation
from tatian.consolidation import consolidate as consolidate
from tatian.consolidation.verification import Trace as Trace
from tatian.consolidation.verification import trace as trace
from tatian.corpora.reading import read as read
from tatian.errors import AssetError as AssetError
from tatian.errors import EmptyInput as EmptyInput
from tatian.errors import InputError as InputError
from tatian.errors import LayerMissing as LayerMissing
from tatian.errors import MissingExtra as MissingExtra
from tatian.errors import NotEnglish as NotEnglish
from tatian.errors import NotText as NotText
from tatian.errors import TatianError as TatianError
from tatian.errors import UnknownModel as UnknownModel
from tatian.pipeline import Pipeline as Pipeline
from tatian.pipeline.steps import aggregate as aggregate
from tatian.pipeline.steps import detect as detect
from tatian.pipeline.steps import merge as merge
from tatian.pipeline.steps import resolve as resolve
from tatian.pipeline.steps import score as score
from tatian.statistics import Score as Score
from tatian.text import Document as Document
from tatian.text import Metadata as Metadata
from tatian.text import Sentence as Sentence
from tatian.text import Span as Span
from tatian.text import Token as Token

__version__: str
