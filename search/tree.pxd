# The search trees of all players in one place: a hash table of nodes and one array of edges.
#
# A node is one decision of one player, as far as he can tell: its key hashes all that he has seen since the root (his own choices
# included). So every player has his own tree, which branches on his labels and on nothing else, and no child pointers are needed.
# A node is first only noted (no edges), and gets its edges on its second visit or later (`expand`): most nodes are never visited again.
#
# Nothing here allocates except `tree_reserve`, which the search calls between slices; in between, a full tree refuses to grow.
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, realloc

cdef struct Edge:
    int32_t action
    uint32_t visits
    uint32_t available   # visits of the node in which this action was legal
    float prior
    double total         # sum of the mover's rewards


cdef struct Node:
    uint64_t key         # 0: this slot is empty
    uint32_t first       # index of its first edge, 0: only noted
    uint16_t count       # edges; of a node that is only noted: visits so far, but one
    uint16_t room        # edges there is place for


cdef struct Tree:
    Node* nodes          # open addressing, mask + 1 slots
    uint64_t mask
    uint32_t n_nodes
    uint32_t max_nodes   # three quarters of the slots
    Edge* edges          # edge 0 is never used
    uint32_t n_edges
    uint32_t max_edges
    size_t limit         # bytes for both arrays


cdef inline size_t tree_bytes(const Tree* tree) noexcept nogil:
    cdef size_t slots = tree.mask + 1 if tree.nodes != NULL else 0
    return slots * sizeof(Node) + tree.max_edges * sizeof(Edge)


cdef inline Node* tree_find(Tree* tree, uint64_t key) noexcept nogil:
    """The node of that key, or the empty slot where it belongs."""
    cdef uint64_t slot = key & tree.mask
    while tree.nodes[slot].key != key and tree.nodes[slot].key != 0:
        slot = (slot + 1) & tree.mask
    return &tree.nodes[slot]


cdef inline bint tree_note(Tree* tree, Node* slot, uint64_t key) noexcept nogil:
    """Puts a node without edges into an empty slot; false if the tree is full."""
    if tree.n_nodes >= tree.max_nodes:
        return False
    tree.n_nodes += 1
    slot.key = key
    slot.first = slot.count = slot.room = 0
    return True


cdef inline bint tree_room(Tree* tree, Node* node, int count) noexcept nogil:
    """Makes place for `count` edges at a node, moving those it has; false if the tree is full."""
    cdef uint32_t i, room
    if count <= node.room:
        return True
    room = count if node.room == 0 else count + count // 2
    if <uint64_t>tree.n_edges + room > tree.max_edges:
        return False
    for i in range(node.count):
        tree.edges[tree.n_edges + i] = tree.edges[node.first + i]
    node.first = tree.n_edges
    node.room = room
    tree.n_edges += room
    return True


cdef inline void tree_add(Tree* tree, Node* node, int32_t action, float prior) noexcept nogil:
    """Adds an edge for which there is room."""
    cdef Edge* edge = &tree.edges[node.first + node.count]
    edge.action = action
    edge.visits = edge.available = 0
    edge.prior = prior
    edge.total = 0
    node.count += 1


cdef inline void tree_reserve(Tree* tree, uint64_t nodes, uint64_t edges) noexcept nogil:
    """Makes place for so many more nodes and edges, as far as the limit and the machine's memory allow."""
    cdef uint64_t slots = tree.mask + 1 if tree.nodes != NULL else 0
    cdef uint64_t wanted = 1024 if slots == 0 else slots
    cdef uint64_t i, slot, most
    cdef Node* moved
    cdef Edge* grown
    while 3 * wanted < 4 * (tree.n_nodes + nodes):
        wanted *= 2
    # While the nodes move, both tables are there; the edges must not be left without a share either.
    while wanted > slots and ((wanted + slots) * sizeof(Node) + tree.max_edges * sizeof(Edge) > tree.limit or wanted * sizeof(Node) > tree.limit // 2):
        wanted //= 2
    if wanted > slots:
        moved = <Node*>calloc(wanted, sizeof(Node))
        if moved != NULL:
            for i in range(slots):
                if tree.nodes[i].key:
                    slot = tree.nodes[i].key & (wanted - 1)
                    while moved[slot].key:
                        slot = (slot + 1) & (wanted - 1)
                    moved[slot] = tree.nodes[i]
            free(tree.nodes)
            tree.nodes = moved
            tree.mask = wanted - 1
            tree.max_nodes = <uint32_t>min(3 * wanted // 4, <uint64_t>0x7FFFFFFF)
            slots = wanted
    if tree.n_edges + edges > tree.max_edges:
        most = (tree.limit - slots * sizeof(Node)) // sizeof(Edge) if tree.limit > slots * sizeof(Node) else 0
        most = min(most, <uint64_t>0xFFFFFFF0)
        wanted = min(most, max(tree.n_edges + edges, tree.max_edges + tree.max_edges // 2))
        if wanted > tree.max_edges:
            grown = <Edge*>realloc(tree.edges, wanted * sizeof(Edge))
            if grown != NULL:
                tree.edges = grown
                tree.max_edges = <uint32_t>wanted


cdef inline void tree_free(Tree* tree) noexcept nogil:
    free(tree.nodes)
    free(tree.edges)
    tree.nodes = NULL
    tree.edges = NULL
