import { Type } from 'typebox'
import { defineSetting } from '../../config/config.ts'
import { dialects } from '../dialects/dialects.ts'
import { tlsProblem } from '../dialects/tls.ts'
import { alternatives, productsFor } from '../products.ts'
import { parseDatabaseUrl } from './database-url.ts'

const urlRemedy = `set it to ${alternatives(Object.values(dialects).map(({ exampleUrl }) => exampleUrl))}`

export const databaseUrl = defineSetting(
  'database.url',
  Type.String({
    tier: 'infrastructure',
    default: '',
    title: 'Database',
    description: `Where the content is kept: ${alternatives([
      ...productsFor('development').map((product) => `${product} (for development)`),
      ...productsFor('production'),
    ])}.`,
    env: 'DATABASE_URL',
  }),
  (value, environment) => {
    if (value === '') return { severity: 'fatal', message: 'is missing', remedy: urlRemedy }
    const address = parseDatabaseUrl(value)
    if (address === undefined) {
      return { severity: 'fatal', message: 'has an invalid format', remedy: urlRemedy }
    }
    const problem = encryptionProblem(address.target)
    if (problem !== undefined) return problem
    const { isForDevelopment, products } = dialects[address.dialect]
    if (!isForDevelopment || environment !== 'production') return undefined
    return {
      severity: 'warning',
      message: `is ${alternatives(products)}, which is for development and prototyping`,
      remedy: `use ${alternatives(productsFor('production'))} in production`,
    }
  },
)

export const databaseDirectUrl = defineSetting(
  'database.directUrl',
  Type.String({
    // It may hold a password.
    tier: 'secret',
    default: '',
    title: 'Database without the pooler',
    description:
      'The address of the same PostgreSQL past a pooler that pools by transaction: for what needs a session of its own, such as hearing of changes.',
    env: 'DATABASE_DIRECT_URL',
  }),
  (value) => {
    if (value === '') return undefined
    const address = parseDatabaseUrl(value)
    if (address?.dialect === 'postgres') return encryptionProblem(address.target)
    const remedy = `write ${dialects.postgres.exampleUrl}, or leave it out: only poolers of PostgreSQL need it`
    return { severity: 'fatal', message: 'is not the address of a PostgreSQL', remedy }
  },
)

function encryptionProblem(target: string) {
  const message = tlsProblem(target)
  if (message === undefined) return undefined
  return { severity: 'fatal', message, remedy: 'write sslmode=require, for one' } as const
}
