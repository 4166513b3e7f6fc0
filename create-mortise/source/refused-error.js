// @ts-check

/** What was asked for cannot be done; the message says why, to whoever typed the command. */
export class RefusedError extends Error {}
