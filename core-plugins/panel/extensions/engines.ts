import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import serviceManifest from '../../../package.json' with { type: 'json' }
import type { ExtensionManifest } from './define-extension.ts'
import type { PackageManifest } from './find-package.ts'

/** Returns why a package is incompatible with this version of the service, from its package.json; empty if it is compatible. */
export function checkPackage({ engines, peerDependencies }: PackageManifest): string[] {
  const ranges = [rangeIn(engines), rangeIn(peerDependencies)]
  // A value that is not a semver range is a URL or path from which npm installed the package.
  const unmet = ranges.find((range) => validRange(range) !== null && !isMet(range ?? '*'))
  if (unmet === undefined) return []
  const { version } = serviceManifest
  return [
    `its package.json asks for mortise ${unmet}, and this is ${version}; install a version of it for ${version}`,
  ]
}

const rangeIn = (ranges: unknown) => {
  const range = (ranges as Readonly<Record<string, unknown>> | undefined)?.mortise
  return typeof range === 'string' ? range : undefined
}

const isMet = (range: string) => satisfies(serviceManifest.version, range, { includePrerelease: true })

/** Returns why these `engines` do not match this version of the service; empty if they do. */
export function checkEngines({ engines }: Pick<ExtensionManifest, 'engines'>): string[] {
  const range = engines?.mortise
  const { version } = serviceManifest
  if (range === undefined || isMet(range)) return []
  if (validRange(range) === null) return [`engines.mortise must be a range of versions, not ${range}`]
  return [`needs Mortise ${range}, and this is ${version}`]
}
