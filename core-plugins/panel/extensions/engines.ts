import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import serviceManifest from '../../../package.json' with { type: 'json' }
import type { ExtensionManifest } from './define-extension.ts'
import type { PackageManifest } from './find-package.ts'

/** Returns why a package does not work with this version of the service, by its package.json, if so. */
export function checkPackage({ engines, peerDependencies }: PackageManifest): string[] {
  const ranges = [rangeIn(engines), rangeIn(peerDependencies)]
  // Whatever is no range is an address or a path, by which npm found the package.
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

/** Returns why something with these `engines` does not work with this version of the service, if so. */
export function checkEngines({ engines }: Pick<ExtensionManifest, 'engines'>): string[] {
  const range = engines?.mortise
  const { version } = serviceManifest
  if (range === undefined || isMet(range)) return []
  if (validRange(range) === null) return [`engines.mortise must be a range of versions, not ${range}`]
  return [`needs Mortise ${range}, and this is ${version}`]
}
