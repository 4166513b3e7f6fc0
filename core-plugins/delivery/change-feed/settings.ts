import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const maxWaiting = defineSetting(
  'changeFeed.maxWaiting',
  Type.Integer({
    tier: 'runtime',
    default: 1_000,
    minimum: 0,
    maximum: 100_000,
    title: 'Most requests that wait for changes',
    description: 'In each process; further ones are answered 503.',
  }),
)

export const maxWaitingOfAddress = defineSetting(
  'changeFeed.maxWaitingOfAddress',
  Type.Integer({
    tier: 'runtime',
    default: 20,
    minimum: 1,
    maximum: 100_000,
    title: 'Most requests of one client that wait for changes',
    description: 'In each process, by address; further ones are answered 429.',
  }),
)
