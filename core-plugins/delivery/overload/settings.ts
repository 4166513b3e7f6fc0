import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const enabled = defineSetting(
  'overload.enabled',
  Type.Boolean({
    env: 'SVC_OVERLOAD_ENABLED',
    tier: 'runtime',
    default: true,
    title: 'Refuse under overload',
    description:
      'Whether requests without an account are refused with 503 while there is more to do than the service can, ' +
      'costly reads first.',
  }),
)

export const targetMs = defineSetting(
  'overload.targetMs',
  Type.Integer({
    tier: 'runtime',
    default: 1_000,
    minimum: 1,
    maximum: 60_000,
    title: 'Wait for the database',
    description:
      'How long queries may go on waiting for their turn, in milliseconds. Beyond it requests without an account are ' +
      'refused.',
  }),
)

export const loopDelayMs = defineSetting(
  'overload.loopDelayMs',
  Type.Integer({
    tier: 'runtime',
    default: 1_000,
    minimum: 1,
    maximum: 60_000,
    title: 'Delay of the event loop',
    description: 'How late the event loop may go on being, in milliseconds; beyond it the same are refused.',
  }),
)

export const maxReads = defineSetting(
  'overload.maxReads',
  Type.Integer({
    tier: 'runtime',
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    title: 'Reads in flight',
    description:
      'How many reads of entries may go on being under way in a process, those that wait included.',
  }),
)

export const intervalMs = defineSetting(
  'overload.intervalMs',
  Type.Integer({
    tier: 'runtime',
    default: 200,
    minimum: 10,
    maximum: 60_000,
    title: 'Interval',
    description:
      'A limit has to be exceeded all through an interval to count, in milliseconds: bursts that are worked off ' +
      'within it are no overload.',
  }),
)

export const dearMs = defineSetting(
  'overload.dearMs',
  Type.Integer({
    tier: 'runtime',
    default: 10,
    minimum: 0,
    maximum: 60_000,
    title: 'Dear read',
    description:
      'Queries that have been taking longer, in milliseconds, are refused before others; so are those whose ' +
      'conditions are costly.',
  }),
)

export const warmUpMs = defineSetting(
  'overload.warmUpMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 0,
    maximum: 600_000,
    title: 'Warm-up',
    description:
      'For how long after the start reads without an account have to make do with half of the connections, in ' +
      'milliseconds; 0 is not at all.',
  }),
)

export const alertAfterMs = defineSetting(
  'overload.alertAfterMs',
  Type.Integer({
    tier: 'runtime',
    default: 60_000,
    minimum: 0,
    title: 'Alert',
    description: 'How long requests are being refused before an alert is raised, in milliseconds.',
  }),
)

/** All settings of the plugin. */
export const overloadSettings = [
  enabled,
  targetMs,
  loopDelayMs,
  maxReads,
  intervalMs,
  dearMs,
  warmUpMs,
  alertAfterMs,
]
