import { Type } from 'typebox'
import { defineSetting } from '../config/config.ts'

export const metricsToken = defineSetting(
  'metrics.token',
  Type.String({
    env: 'METRICS_TOKEN',
    tier: 'secret',
    default: '',
    title: 'Token for metrics',
    description:
      'Whoever sends it as bearer token may read the metrics, besides administrators; empty: nobody.',
  }),
  (value) =>
    value === '' || value.length >= 16
      ? undefined
      : {
          severity: 'warning',
          message: 'is shorter than 16 characters',
          remedy: 'use a long random one, such as `openssl rand -hex 32` prints',
        },
)
