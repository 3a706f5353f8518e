"""Intervals cover and the sequential test errs as seldom as they say: checked by simulating deals, whose truth is known."""

import math

import numpy as np
import pytest

from wattman.search.sprt import MOST, Sprt
from wattman.search.statistics import elo, mean_of, share, share_of, t_quantile


def pairs(n, p, luck, ties, rng):
    """Scores of `n` deals of two games each: `p` is the true win rate, `luck` how much the cards decide, `ties` the share of ties."""
    lean = luck * min(p, 1 - p) * rng.choice([-1, 1], n)  # who is favoured in the first game is not in the second

    return (_game(p + lean, ties, rng) + _game(p - lean, ties, rng)) / 2


def _game(p, ties, rng):
    """Win, tie or loss with mean `p`: a tie replaces equally many wins and losses."""
    tied = ties * np.minimum(p, 1 - p)
    draw = rng.random(len(p))
    return np.where(draw < tied, 0.5, np.where(draw < tied + p - tied / 2, 1.0, 0.0))


# --- intervals ---


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (4, 2.776), (5, 2.571), (10, 2.228), (30, 2.042), (10**9, 1.960)]
)
def test_quantiles(freedom, quantile):
    assert t_quantile(freedom) == pytest.approx(quantile, abs=0.004)


@pytest.mark.parametrize("ties", [0, 0.2])
@pytest.mark.parametrize("luck", [0, 0.5, 0.8])
@pytest.mark.parametrize("deals", [50, 100, 400])
def test_equal_agents(deals, luck, ties):
    rng = np.random.default_rng([7, deals, int(10 * luck), int(10 * ties)])
    found = [share_of(pairs(deals, 0.5, luck, ties, rng), 2) for _ in range(200)]
    assert 0.90 <= np.mean([each.low <= 0.5 <= each.high for each in found]) <= 0.99


@pytest.mark.parametrize("p", [0.7, 0.9, 0.97])
@pytest.mark.parametrize("luck", [0, 0.8])
def test_unequal_agents(p, luck):
    rng = np.random.default_rng([int(100 * p), int(10 * luck)])
    found = [share_of(pairs(60, p, luck, 0, rng), 2) for _ in range(1000)]
    assert 0.93 <= np.mean([each.low <= p <= each.high for each in found]) <= 0.99
    assert all(0 <= each.low <= each.mean <= each.high <= 1 for each in found)


def test_luck_that_cancels_makes_intervals_narrow():
    rng = np.random.default_rng(1)
    wide, narrow = (share_of(pairs(400, 0.5, luck, 0, rng), 2) for luck in (0, 0.9))
    assert narrow.high - narrow.low < 0.6 * (wide.high - wide.low)


def test_more_of_the_same_is_surer():
    wins = [share_of([1.0] * n, 2).low for n in (1, 2, 5, 20, 100)]
    assert wins == sorted(wins)
    assert wins[0] == 0
    assert share_of([1.0] * 20, 2).high == 1
    assert share_of([1.0] * 19 + [0.5], 2).low < wins[3]
    split = [share_of([0.5] * n, 2) for n in (2, 5, 20)]
    assert all(each.low < 0.5 < each.high for each in split)


def test_mirrored_results_have_mirrored_intervals():
    scores = np.array([1, 0.5, 0.5, 0, 1, 1, 0.5, 0.75])
    one, other = share_of(scores), share_of(1 - scores)
    assert (one.low, one.mean, one.high) == pytest.approx((1 - other.high, 1 - other.mean, 1 - other.low))


def test_points():
    rng = np.random.default_rng(2)
    found = [mean_of(rng.normal(3, 10, 25)) for _ in range(1000)]
    assert 0.93 <= np.mean([each.low <= 3 <= each.high for each in found]) <= 0.97
    assert mean_of([4.0]).low == -math.inf
    with pytest.raises(ValueError, match="no values"):
        mean_of([])


def test_elo():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.25, 4) == pytest.approx(0)
    assert elo(10 / 13, 4) == pytest.approx(400)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)
    assert share(elo(0.3)) == pytest.approx(0.3)


# --- the sequential test ---


def decide(elo0, elo1, scores):
    """The test's decision on endless deals."""
    test = Sprt(elo0, elo1)
    while test.decision is None:
        for score in scores():
            if test.add(score):
                break
    return test


def error_bound(tests):
    """5 %, and three standard errors of a simulation."""
    return 0.05 + 3 * math.sqrt(0.05 * 0.95 / tests)


@pytest.mark.parametrize(("elo0", "elo1"), [(0, 60), (-40, 40), (100, 300)])
@pytest.mark.parametrize(("luck", "ties"), [(0, 0), (0.8, 0), (0.5, 0.3)])
def test_error_rates(elo0, elo1, luck, ties):
    tests = 200
    for true, wrong in ((elo0, "H1"), (elo1, "H0"), (elo0 - 50, "H1"), (elo1 + 50, "H0")):
        rng = np.random.default_rng([abs(true), elo1, int(10 * luck)])
        found = [decide(elo0, elo1, lambda rng=rng, true=true: pairs(64, share(true), luck, ties, rng)) for _ in range(tests)]
        assert np.mean([test.decision == wrong for test in found]) <= error_bound(tests)


def test_error_rate_if_nearly_all_deals_are_split():
    """Rare decisive deals: a test that trusts the variance it has seen decides before it has seen one."""
    true = share(30)  # H1 holds, by a deal in about 12 that is won twice
    won = 2 * (true - 0.5)
    for wrong, elo0, elo1 in (("H0", 0, 30), ("H1", 30, 60)):
        rng = np.random.default_rng(3)
        found = [decide(elo0, elo1, lambda rng=rng: 0.5 + 0.5 * (rng.random(64) < won)) for _ in range(400)]
        assert np.mean([test.decision == wrong for test in found]) <= error_bound(400)


def test_it_stops_early():
    rng = np.random.default_rng(4)
    tests = [decide(0, 60, lambda: pairs(64, share(60), 0.5, 0, rng)).deals for _ in range(100)]
    fixed = (3.29 * math.sqrt(pairs(10**5, 0.54, 0.5, 0, rng).var()) / (share(60) - 0.5)) ** 2  # deals of a test of fixed length
    assert np.mean(tests) < 0.7 * fixed
    assert decide(0, 60, lambda: [0.0]).deals < 20
    assert decide(0, 60, lambda: [1.0]).deals < 40


def test_it_is_the_usual_ratio_to_second_order():
    rng = np.random.default_rng(5)
    scores = pairs(2000, share(10), 0.5, 0, rng)
    test = Sprt(0, 20, alpha=1e-9, beta=1e-9)
    for score in scores:
        test.add(score)
    low, high = share(0), share(20)
    usual = len(scores) * (high - low) * (2 * scores.mean() - low - high) / (2 * scores.var())
    assert test.against0 == pytest.approx(usual, abs=0.5)
    assert test.against1 == pytest.approx(-usual, abs=0.5)


def test_a_decision_is_kept():
    test = decide(0, 60, lambda: [1.0])
    before = test.to_json()
    assert before["decision"] == "H1"
    test.add(0.0)
    assert test.to_json() == before
    assert test.against0 >= test.bounds[0]


def test_no_deal_ruins_a_gambler():
    test = Sprt(0, 400)
    for score in (1, 1, 1, 0, 0, 1, 0):
        test.add(score)
    assert min(test.against0, test.against1) > 7 * math.log(1 - MOST)


@pytest.mark.parametrize(("elo0", "elo1"), [(10, 0), (5, 5), (0, math.inf), (math.nan, 1)])
def test_bad_hypotheses(elo0, elo1):
    with pytest.raises(ValueError, match="the smaller one first"):
        Sprt(elo0, elo1)


def test_bad_scores_and_errors():
    with pytest.raises(ValueError, match="not between 0 and 1"):
        Sprt(0, 10).add(1.5)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Sprt(0, 10, alpha=0)
