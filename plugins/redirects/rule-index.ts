import type { Log, Signals } from 'mortise/plugin'
import { chainEnd } from './chains.ts'
import { pathKey } from './paths.ts'
import type { Rule, RuleStore } from './rule-store.ts'

/** The redirects in memory, so that no request waits for the database. */
export interface RuleIndex {
  find(decodedPath: string): Rule | undefined
  /** Loads the redirects, and keeps them as current as other processes make them. */
  start(): Promise<void>
  /** Redirects have been written in this process. */
  changed(): Promise<void>
  stop(): void
}

export interface RuleIndexParts {
  readonly rules: RuleStore
  readonly signals: Signals | undefined
  readonly log: Log
}

/** Beyond these, the newest redirects have no effect. */
const maxRules = 50_000

const topic = 'redirects'

/** A signal may be lost. */
const checkEveryMs = 5_000

export function createRuleIndex({ rules, signals, log }: RuleIndexParts): RuleIndex {
  let byPath: ReadonlyMap<string, Rule> = new Map()
  let version = ''
  let loading: Promise<void> | undefined
  let isOutdated = false
  const stops: (() => void)[] = []

  async function load(): Promise<void> {
    do {
      isOutdated = false
      // Before the rules: what is written in between is loaded again.
      version = await rules.version()
      byPath = await withoutLoops(await rules.list(maxRules + 1), log)
    } while (isOutdated)
  }

  /** One load at a time; whoever asks meanwhile gets what is read after that. */
  function reload(): Promise<void> {
    isOutdated = true
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  async function check(): Promise<void> {
    try {
      if ((await rules.version()) !== version) await reload()
    } catch (error) {
      log.warn({ err: error }, 'the redirects could not be read; those known so far go on')
    }
  }

  return {
    find: (decodedPath) => byPath.get(pathKeyOf(decodedPath)),
    async start() {
      await reload()
      const timer = setInterval(() => void check(), checkEveryMs)
      timer.unref()
      stops.push(() => clearInterval(timer))
      if (signals !== undefined) stops.push(signals.onSignal(topic, () => void reload().catch(() => check())))
    },
    async changed() {
      signals?.send(topic)
      await reload()
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** The path has been decoded already. */
function pathKeyOf(decodedPath: string): string {
  return decodedPath.length > 1 ? decodedPath.replace(/\/$/, '') : decodedPath
}

/** Two that are written at the same time may lead to each other, although each was checked: none of them counts. */
async function withoutLoops(list: readonly Rule[], log: Log): Promise<ReadonlyMap<string, Rule>> {
  if (list.length > maxRules)
    log.warn({}, `there are more than ${maxRules} redirects; the newest have no effect`)
  const all = new Map(list.slice(0, maxRules).map((rule) => [pathKey(rule.from) ?? rule.from, rule]))
  const left = new Map<string, Rule>()
  for (const [from, rule] of all) {
    const end = await chainEnd({ from, to: rule.to }, (path) => all.get(path))
    if (end === 'loop') log.warn({ from }, `the redirect of ${from} is a loop and has no effect`)
    else left.set(from, rule)
  }
  return left
}
