import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const maxClients = defineSetting(
  'live.maxClients',
  Type.Integer({
    tier: 'runtime',
    default: 10_000,
    minimum: 0,
    maximum: 1_000_000,
    title: 'Most live streams',
    description: 'How many clients may follow changes at the same time, in each process',
  }),
)

export const maxPerAddress = defineSetting(
  'live.maxClientsPerAddress',
  Type.Integer({
    tier: 'runtime',
    default: 20,
    minimum: 1,
    maximum: 1_000_000,
    title: 'Most live streams of one address',
    description: 'How many of them may come from one address: a host, or a /64 network of IPv6',
  }),
)
