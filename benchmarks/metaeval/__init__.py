"""The meta-evaluation of Alva-Manchego, Scarton and Specia (2021)."""
