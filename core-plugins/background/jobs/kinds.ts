import { bodyValidator, type Validator } from '../../foundation/http/http.ts'
import type { JobKind } from './jobs.ts'

/** All job kinds by name, complete after boot. */
export interface Kinds {
  get(name: string): JobKind | undefined
  readonly names: readonly string[]
  /** How many processes may die while running a job of this kind before it fails. */
  maxDeathsOf(name: string): number
  /** @throws Error that names the kind and the problem with the payload */
  check(kind: JobKind, payload: unknown): void
}

const defaultMaxDeaths = 5

/** `contributed` is called on first use, which is after the boot; names are unique. */
export function createKinds(contributed: () => readonly JobKind[]): Kinds {
  let known: ReadonlyMap<string, JobKind> | undefined
  const byName = () => {
    known ??= new Map(contributed().map((kind) => [kind.name, kind]))
    return known
  }
  return {
    get: (name) => byName().get(name),
    get names() {
      return [...byName().keys()]
    },
    maxDeathsOf: (name) => byName().get(name)?.maxDeaths ?? defaultMaxDeaths,
    check: createPayloadCheck(),
  }
}

/** Schemas are compiled when the first payload of their kind is checked. */
function createPayloadCheck(): Kinds['check'] {
  const validators = new Map<JobKind, Validator>()
  return (kind, payload) => {
    let validate = validators.get(kind)
    if (validate === undefined) {
      validate = bodyValidator(kind.payload)
      validators.set(kind, validate)
    }
    const [problem] = validate(payload)
    if (problem === undefined) return
    const where = problem.path || 'it'
    throw new Error(`the payload does not match the kind ${kind.name}: ${where} ${problem.message}`)
  }
}
