"""Active evaluation: draw instances from an instrumental distribution, weight their labels, estimate."""

from activeeval_widgets.stats.adaptive.adaptive_q import adaptive_q, defensive_share, draw_without_replacement
from activeeval_widgets.stats.adaptive.confidence_sequence import AdaptiveConfidenceSequence
from activeeval_widgets.stats.adaptive.confusion_matrix import estimate_adaptive_confusion
from activeeval_widgets.stats.adaptive.estimator import estimate_adaptive
from activeeval_widgets.stats.agreement.alpha import krippendorff_alpha
from activeeval_widgets.stats.agreement.kappas import cohen_kappa, fleiss_kappa
from activeeval_widgets.stats.agreement.optimal_opinions import OpinionPlan, optimal_opinions
from activeeval_widgets.stats.agreement.percent import percent_agreement
from activeeval_widgets.stats.agreement.result import Agreement
from activeeval_widgets.stats.agreement.variance_split import VarianceSplit, variance_split
from activeeval_widgets.stats.anytime.confidence_sequences import ConfidenceSequence, confidence_sequence
from activeeval_widgets.stats.anytime.model_trial import ModelTrial
from activeeval_widgets.stats.anytime.sequential_selection import SequentialSelection, sequential_selection
from activeeval_widgets.stats.anytime.sequential_tests import Evidence, SequentialTest, sequential_test
from activeeval_widgets.stats.drawing.baselines import (
    absolute_difference_q,
    cost_q,
    disagreement_q,
    squared_difference_q,
    uniform_q,
)
from activeeval_widgets.stats.drawing.groups import serve_groups
from activeeval_widgets.stats.drawing.optimal import asymptotic_variance, expected_draws, optimal_q
from activeeval_widgets.stats.drawing.recipes import recipe_q
from activeeval_widgets.stats.drawing.sampling import draw, importance_weights
from activeeval_widgets.stats.fixed_n.best_threshold import BestThreshold, best_threshold
from activeeval_widgets.stats.fixed_n.calibration_curve import CalibrationCurve, calibration_curve
from activeeval_widgets.stats.fixed_n.confusion_matrix import (
    ConfusionEstimate,
    ConfusionPair,
    estimate_confusion,
)
from activeeval_widgets.stats.fixed_n.estimators import estimate, estimate_trajectory
from activeeval_widgets.stats.fixed_n.hypothesis_tests import compare_all, draws_for_power, wald_power
from activeeval_widgets.stats.intervals import (
    clopper_pearson_interval,
    t_interval,
    wald_interval,
    wilson_interval,
)
from activeeval_widgets.stats.measures.agreement import CohenKappa, MatthewsCorrelation
from activeeval_widgets.stats.measures.average_precision import AveragePrecision
from activeeval_widgets.stats.measures.average_precision_of_lists import MeanAveragePrecision
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.bounded_errors import ClippedSquaredError, WithinTolerance
from activeeval_widgets.stats.measures.calibration import CalibrationError
from activeeval_widgets.stats.measures.check_measure import check_measure
from activeeval_widgets.stats.measures.classes import Accuracy, CostMatrix, ErrorRate
from activeeval_widgets.stats.measures.confusion import BalancedAccuracy, MacroF
from activeeval_widgets.stats.measures.error_quantile import AbsoluteErrorQuantile
from activeeval_widgets.stats.measures.generalized_risks import RatioMeasure as Ratio
from activeeval_widgets.stats.measures.labels import LabelShare, MeanValue, WinRate
from activeeval_widgets.stats.measures.measure_names import NamedMeasure, measure_named, named_measures
from activeeval_widgets.stats.measures.ndcg import NDCG
from activeeval_widgets.stats.measures.percentage_error import MeanAbsolutePercentageError
from activeeval_widgets.stats.measures.pool_value import pool_value
from activeeval_widgets.stats.measures.probability_losses import BrierScore, LogLoss
from activeeval_widgets.stats.measures.rankings import DCG, ERR
from activeeval_widgets.stats.measures.ratios import FMeasure, Precision, Recall, Specificity
from activeeval_widgets.stats.measures.relevance import PrecisionAt, RecallAt, ReciprocalRank
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.measures.roc_auc import ROCAUC
from activeeval_widgets.stats.measures.root_mean_squared import RootMeanSquaredError
from activeeval_widgets.stats.measures.rubrics import RubricPassRate, RubricScore
from activeeval_widgets.stats.measures.side_by_side import PassRate
from activeeval_widgets.stats.measures.thresholds import BestF
from activeeval_widgets.stats.measures.top_k import TopKAccuracy
from activeeval_widgets.stats.measures.values import AbsoluteError, SquaredError
from activeeval_widgets.stats.measures.variance_explained import RSquared
from activeeval_widgets.stats.planning.labels_needed import labels_needed
from activeeval_widgets.stats.planning.plan import Plan, decide
from activeeval_widgets.stats.planning.planner import Planner
from activeeval_widgets.stats.planning.two_prices import Purchase, VotePlan, plan_votes
from activeeval_widgets.stats.planning.uniform_draws import uniform_draws_needed
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.predicted_classes import PredictedClasses
from activeeval_widgets.stats.predictions.rankings import RankingPredictions
from activeeval_widgets.stats.predictions.relevance_by_rank import relevance_by_rank
from activeeval_widgets.stats.predictions.rubrics import rubric_predictions
from activeeval_widgets.stats.predictions.scored_classes import ScoredClasses
from activeeval_widgets.stats.predictions.side_by_side import side_by_side
from activeeval_widgets.stats.predictions.unpredicted import UnpredictedClasses, UnpredictedValues
from activeeval_widgets.stats.predictions.values import ValuePredictions
from activeeval_widgets.stats.replication.replicate import replicate
from activeeval_widgets.stats.replication.table import ReplicationTable
from activeeval_widgets.stats.results import Estimate, PairwiseComparison, PairwiseTable

__all__ = [
    "DCG",
    "ERR",
    "NDCG",
    "ROCAUC",
    "AbsoluteError",
    "AbsoluteErrorQuantile",
    "Accuracy",
    "AdaptiveConfidenceSequence",
    "Agreement",
    "AveragePrecision",
    "BalancedAccuracy",
    "BestF",
    "BestThreshold",
    "BrierScore",
    "CalibrationCurve",
    "CalibrationError",
    "ClassPredictions",
    "ClippedSquaredError",
    "CohenKappa",
    "ConfidenceSequence",
    "ConfusionEstimate",
    "ConfusionPair",
    "CostMatrix",
    "ErrorRate",
    "Estimate",
    "Evidence",
    "FMeasure",
    "LabelShare",
    "LogLoss",
    "MacroF",
    "MatthewsCorrelation",
    "MeanAbsolutePercentageError",
    "MeanAveragePrecision",
    "MeanValue",
    "Measure",
    "ModelTrial",
    "NamedMeasure",
    "OpinionPlan",
    "PairwiseComparison",
    "PairwiseTable",
    "PassRate",
    "Plan",
    "Planner",
    "Precision",
    "PrecisionAt",
    "PredictedClasses",
    "Predictions",
    "Purchase",
    "RSquared",
    "RankingPredictions",
    "Ratio",
    "Recall",
    "RecallAt",
    "ReciprocalRank",
    "ReplicationTable",
    "Risk",
    "RootMeanSquaredError",
    "RubricPassRate",
    "RubricScore",
    "ScoredClasses",
    "SequentialSelection",
    "SequentialTest",
    "Specificity",
    "SquaredError",
    "TopKAccuracy",
    "UnpredictedClasses",
    "UnpredictedValues",
    "ValuePredictions",
    "VarianceSplit",
    "VotePlan",
    "WinRate",
    "WithinTolerance",
    "absolute_difference_q",
    "adaptive_q",
    "asymptotic_variance",
    "best_threshold",
    "calibration_curve",
    "check_measure",
    "clopper_pearson_interval",
    "cohen_kappa",
    "compare_all",
    "confidence_sequence",
    "cost_q",
    "decide",
    "defensive_share",
    "disagreement_q",
    "draw",
    "draw_without_replacement",
    "draws_for_power",
    "estimate",
    "estimate_adaptive",
    "estimate_adaptive_confusion",
    "estimate_confusion",
    "estimate_trajectory",
    "expected_draws",
    "fleiss_kappa",
    "importance_weights",
    "krippendorff_alpha",
    "labels_needed",
    "measure_named",
    "named_measures",
    "optimal_opinions",
    "optimal_q",
    "percent_agreement",
    "plan_votes",
    "pool_value",
    "recipe_q",
    "relevance_by_rank",
    "replicate",
    "rubric_predictions",
    "sequential_selection",
    "sequential_test",
    "serve_groups",
    "side_by_side",
    "squared_difference_q",
    "t_interval",
    "uniform_draws_needed",
    "uniform_q",
    "variance_split",
    "wald_interval",
    "wald_power",
    "wilson_interval",
]
