import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { definePlugin, type Plugin } from '../../kernel/index.ts'
import serviceManifest from '../../package.json' with { type: 'json' }
import { importFile } from '../config/config.ts'
import type { Candidate } from './candidates.ts'
import { checkManifest } from './manifest.ts'
import { mountPlugin } from './mount.ts'
import { checkPluginConfig, withDefaults } from './plugin-config.ts'

/** A candidate after an attempt to load it. */
export interface Loaded {
  /** What lists show where nothing was loaded, by the candidate's name. */
  readonly plugin: Plugin
  /** With defaults filled in. */
  readonly config: Readonly<Record<string, unknown>>
  /** Why it cannot run. */
  readonly failure?: string
}

/** Imports a plugin and judges its manifest and its part of the project config. Never rejects. */
export async function loadCandidate(candidate: Candidate): Promise<Loaded> {
  const { name, file, problem = 'is not there', config } = candidate
  if (file === undefined) return { plugin: standIn(name), config, failure: problem }
  try {
    return judge((await importFile(file)).default, candidate)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { plugin: standIn(name), config, failure: `cannot be loaded: ${reason}` }
  }
}

/** Stands in lists for a plugin that was not loaded. */
export function standIn(name: string): Plugin {
  return definePlugin({ name, description: 'Not loaded' })
}

function judge(exported: unknown, { name, config, isFolder }: Candidate): Loaded {
  const problems = checkManifest(exported)
  if (problems.length > 0) return { plugin: standIn(name), config, failure: problems.join('; ') }
  const plugin = exported as Plugin
  const more = [
    ...(isFolder && plugin.name !== name ? [`name must be ${name}, as its folder is called`] : []),
    ...checkEngines(plugin),
    ...checkPluginConfig(plugin.configSchema, config),
  ]
  if (more.length > 0) return { plugin: standIn(name), config, failure: more.join('; ') }
  return { plugin: mountPlugin(plugin), config: withDefaults(plugin.configSchema, config) }
}

function checkEngines({ engines }: Plugin): string[] {
  const range = engines?.mortise
  const { version } = serviceManifest
  if (range === undefined || satisfies(version, range, { includePrerelease: true })) return []
  if (validRange(range) === null) return [`engines.mortise must be a range of versions, not ${range}`]
  return [`needs Mortise ${range}, and this is ${version}`]
}
