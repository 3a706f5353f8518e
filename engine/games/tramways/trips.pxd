from libc.stdint cimport uint64_t

from wattman.engine.games.tramways.state cimport SEATS, TERMINALS, TRIP, Data, State


cdef struct Trip:
    # What a trip comes to so far; the mover is s.player.
    int here            # terminal
    uint64_t entered    # terminals, the origin too
    int cash            # of the mover, with what he holds
    int lowest          # the least that he had on the way
    int parks
    int hp[SEATS]
    int money[SEATS]    # gained, the mover's too



cdef struct Wishes:
    # What a trip is worth to the mover, in points.
    float hp_own            # each HP of his own
    float hp_rival          # each HP of another
    float money             # each $ of his own
    float each_hp[2]        # each HP that is bought, at Leisure and at the Funfair
    float park              # each stress that the Park takes
    float stop[TERMINALS]   # ending there, what is bought left out


cdef struct Plan:
    float worth
    int origin
    int n
    int ride[TRIP]          # numbers of links


cdef float best_trip(const Data* d, const State* s, const Wishes* wishes, Plan* out) noexcept nogil
cdef void follow(const Data* d, const State* s, Trip* trip) noexcept nogil
cdef int link_at(const State* s, int here, int there, int owner) noexcept nogil
cdef bint payable_stop(const Data* d, const State* s, int t) noexcept nogil
cdef uint64_t stops(const Data* d, const State* s) noexcept nogil
cdef uint64_t origin_options(const Data* d, const State* s, bint one) noexcept nogil
cdef uint64_t ride_options(const Data* d, const State* s) noexcept nogil
