import type { Log } from './log.ts'
import type { Plugin } from './plugin.ts'
import { type Disabled, dependentsOf, type OrderProblem, startOrder } from './start-order.ts'
import { describeProblem, StartupError } from './startup-error.ts'

/** A plugin as lists show it. */
export interface PluginStatus {
  readonly name: string
  readonly description: string
  readonly active: boolean
  /** Why it is not active. */
  readonly reason?: string
}

export interface FailedPlugin {
  readonly plugin: string
  readonly reason: string
}

/** Which plugin failed while starting, how, and why. */
export interface StartFailure {
  readonly plugin: string
  readonly message: string
  readonly cause?: unknown
}

/** Which plugins run, in which order, and why the others do not. */
export interface Roster {
  /** In start order. */
  active(): readonly Plugin[]
  /** Plugins that are off so far, by name, each with the reason. */
  switchedOff(): Disabled
  /** The plugins that were switched off here, in that order. */
  readonly failures: readonly FailedPlugin[]
  /** Switches off the plugin and all that need it; returns false if one of them is essential. */
  switchOffFailed(failure: StartFailure): boolean
  /** All plugins, active ones first, in start order. */
  list(): readonly PluginStatus[]
}

export interface RosterOptions {
  readonly all: readonly Plugin[]
  /** Plugins that are off from the beginning. */
  readonly off: Disabled
  readonly isEssential: (plugin: Plugin) => boolean
  readonly log: Log
}

/**
 * Leaves out non-essential plugins if that lets the others start.
 * @throws StartupError if the remaining plugins do not fit together either
 */
export function createRoster({ all, off: disabled, isEssential, log }: RosterOptions): Roster {
  const off = new Map(disabled)
  const failures: FailedPlugin[] = []

  function switchOff(plugin: string, reason: string, err?: unknown) {
    if (off.has(plugin)) return
    off.set(plugin, reason)
    failures.push({ plugin, reason })
    log.error({ plugin, err }, `${plugin} ${reason}; it is switched off`)
  }

  function fitTogether(): readonly Plugin[] {
    for (;;) {
      const { plugins, problems } = startOrder(all, off)
      if (problems.length === 0) return plugins
      for (const { problem, culprit } of solvable(problems, isEssential)) {
        switchOff(culprit.name, reasonOf(problem, culprit))
      }
    }
  }

  const sequence = fitTogether()

  return {
    failures,
    switchedOff: () => new Map(off),
    active: () => sequence.filter(({ name }) => !off.has(name)),
    switchOffFailed({ plugin: name, message: reason, cause }) {
      const dependents = dependentsOf(name, sequence)
      const lost = sequence.filter((plugin) => plugin.name === name || dependents.has(plugin.name))
      if (lost.length === 0 || lost.some(isEssential)) return false
      switchOff(name, reason, cause)
      for (const plugin of dependents) switchOff(plugin, `needs ${name}, which ${reason}`)
      return true
    },
    list: () => listPlugins(sequence, all, off),
  }
}

/**
 * Maps each problem to the plugin that is left out. @throws StartupError if a problem involves essential
 * plugins only
 */
function solvable(problems: readonly OrderProblem[], isEssential: (plugin: Plugin) => boolean) {
  return problems.map((problem) => {
    const culprit = problem.culprits.findLast((plugin) => !isEssential(plugin))
    if (culprit !== undefined) return { problem, culprit }
    const told = problems.map(({ culprits: _, ...rest }) => rest)
    throw new StartupError('The plugins do not fit together:', told)
  })
}

function listPlugins(sequence: readonly Plugin[], all: readonly Plugin[], off: Disabled): PluginStatus[] {
  const rest = all.filter((plugin) => !sequence.includes(plugin))
  return [...sequence, ...rest].map(({ name, description }) => {
    const reason = off.get(name)
    return { name, description, active: reason === undefined, ...(reason === undefined ? {} : { reason }) }
  })
}

/** Worded as the plugin's own fault, whichever plugin the report names first. */
function reasonOf(problem: OrderProblem, { name }: Plugin): string {
  const { subject, message, remedy } = problem
  if (subject === `plugin ${name}`) return remedy === undefined ? message : `${message}; ${remedy}`
  return `does not fit: ${describeProblem({ subject, message, ...(remedy === undefined ? {} : { remedy }) }).trim()}`
}
