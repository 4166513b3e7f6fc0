import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import serviceManifest from '../../package.json' with { type: 'json' }
import type { ExtensionManifest } from './define-extension.ts'

/** Returns why something with these `engines` does not work with this version of the service, if so. */
export function checkEngines({ engines }: Pick<ExtensionManifest, 'engines'>): string[] {
  const range = engines?.mortise
  const { version } = serviceManifest
  if (range === undefined || satisfies(version, range, { includePrerelease: true })) return []
  if (validRange(range) === null) return [`engines.mortise must be a range of versions, not ${range}`]
  return [`needs Mortise ${range}, and this is ${version}`]
}
