import { bodyValidator, type Validator } from '../http/http.ts'
import type { JobKind } from './jobs.ts'

/** All kinds of work by name, complete after boot. */
export interface Kinds {
  get(name: string): JobKind | undefined
  readonly names: readonly string[]
  /** @throws Error that names the kind and what is wrong with the payload */
  check(kind: JobKind, payload: unknown): void
}

/** `contributed` is asked at the first use, which is after the boot. @throws Error if two kinds have one name */
export function createKinds(contributed: () => readonly JobKind[]): Kinds {
  let known: ReadonlyMap<string, JobKind> | undefined
  const byName = () => {
    known ??= indexByName(contributed())
    return known
  }
  return {
    get: (name) => byName().get(name),
    get names() {
      return [...byName().keys()]
    },
    check: createPayloadCheck(),
  }
}

function indexByName(kinds: readonly JobKind[]): ReadonlyMap<string, JobKind> {
  const byName = new Map<string, JobKind>()
  for (const kind of kinds) {
    if (byName.has(kind.name)) throw new Error(`two kinds of jobs are called ${kind.name}`)
    byName.set(kind.name, kind)
  }
  return byName
}

/** Schemas are compiled when the first payload of their kind comes by. */
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
    throw new Error(`the payload does not fit the kind ${kind.name}: ${where} ${problem.message}`)
  }
}
