"""How one sentence takes in what another says more: alignment, units, slots, joints."""
