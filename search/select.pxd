# Which edge of a node to follow.
#
# Both rules are upper confidence bounds that count, instead of the node's visits, how often the action was available (Cowling, Powley
# and Whitehouse, "Information Set Monte Carlo Tree Search", 2012): in another world it may not be legal.
#   puct   Q + c * prior * sqrt(available) / (1 + visits)
#   bias   Q + c * sqrt(ln(available) / visits) + strength * prior / (1 + visits)
# An action not tried yet counts as Q = (mean of the tried ones) - fpu; in `bias` its confidence term is that of one visit.
from libc.math cimport log, powf, sqrt
from libc.stdint cimport int32_t, uint32_t

from wattman.search.tree cimport Edge, Node, Tree, tree_add

cdef struct Rule:
    bint puct
    double c
    double strength      # of the prior in `bias`
    double sharpness     # of the prior: the power to which weights are raised
    double uniform       # share of the prior that is spread evenly
    double fpu


cdef inline uint32_t select_edge(Tree* tree, Node* node, const Rule* rule, const uint32_t* mark, uint32_t stamp) noexcept nogil:
    """Index of the best available edge (those with mark[action] == stamp), whose availability counts go up. One must be available."""
    cdef uint32_t i, best = 0, fresh = 0, last = 0, end = node.first + node.count
    cdef double score, best_score = -1e30, fresh_score = -1e30, total = 0, visits = 0, root = 0, mean
    cdef Edge* edge
    for i in range(node.first, end):
        edge = &tree.edges[i]
        if mark[edge.action] != stamp:
            continue
        edge.available += 1
        if edge.available != last:  # most often all edges have the same count
            last = edge.available
            root = sqrt(<double>last) if rule.puct else sqrt(log(<double>last))
        if edge.visits == 0:
            score = rule.c * edge.prior * root if rule.puct else rule.c * root + rule.strength * edge.prior
            if score > fresh_score:
                fresh_score = score
                fresh = i
            continue
        total += edge.total
        visits += edge.visits
        if rule.puct:
            score = edge.total / edge.visits + rule.c * edge.prior * root / (1 + edge.visits)
        else:
            score = edge.total / edge.visits + rule.c * root / sqrt(<double>edge.visits) + rule.strength * edge.prior / (1 + edge.visits)
        if score > best_score:
            best_score = score
            best = i
    if fresh == 0:
        return best
    mean = total / visits if visits else 0.5
    return fresh if best == 0 or fresh_score + mean - rule.fpu > best_score else best


cdef inline int count_missing(const Tree* tree, const Node* node, int n, const uint32_t* mark, uint32_t stamp) noexcept nogil:
    """How many of the n marked actions have no edge yet."""
    cdef uint32_t i
    for i in range(node.first, node.first + node.count):
        n -= mark[tree.edges[i].action] == stamp
    return n


cdef inline void as_priors(float* weights, int n, const Rule* rule) noexcept nogil:
    """Turns the legal actions' weights into priors: to the power of `sharpness`, as shares of their sum, mixed with the uniform one."""
    cdef int k
    cdef double total = 0
    for k in range(n):
        if rule.sharpness != 1:
            weights[k] = powf(weights[k], <float>rule.sharpness)
        total += weights[k]
    for k in range(n):
        weights[k] = <float>((1 - rule.uniform) * weights[k] / total + rule.uniform / n)


cdef inline void add_missing(Tree* tree, Node* node, const int32_t* ids, int n, const float* priors, uint32_t* mark, uint32_t stamp) noexcept nogil:
    """Gives a node, which has room, an edge for each marked action that lacks one."""
    cdef uint32_t i
    cdef int k
    for i in range(node.first, node.first + node.count):
        if mark[tree.edges[i].action] == stamp:
            mark[tree.edges[i].action] = 0
    for k in range(n):
        if mark[ids[k]] == stamp:
            tree_add(tree, node, ids[k], priors[k])
        mark[ids[k]] = stamp
