import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import serviceManifest from '../../package.json' with { type: 'json' }
import type { Audit } from '../audit/audit.ts'
import type { Auth } from '../auth/auth.ts'
import type { Config } from '../config/config.ts'
import type { BulkWrites, Content, Entry, Guarded, StoredEntries, Trash } from '../content/content.ts'
import { titleFieldOf } from '../content-types/content-types.ts'
import type { Database } from '../database/database.ts'
import type { Localizations } from '../i18n/i18n.ts'
import type { Releases } from '../releases/releases.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import { createAgreements } from './agreements.ts'
import type { ApplyDeps } from './apply/apply-package.ts'
import { createEnvironment } from './environment.ts'
import { createLocalSide } from './local-side.ts'
import { openPackageFile } from './package/package-file.ts'
import { createPackageFolder } from './package/package-folder.ts'
import { createPackageStore } from './package/package-store.ts'
import { packageRoutes } from './package-routes.ts'
import { createPackages } from './packages.ts'
import { createTransferReads } from './reads.ts'
import { readRoutes } from './routes.ts'
import { contentSection } from './sections/content-section.ts'
import { createEntryKeys, type EntryKeys } from './sections/entry-keys.ts'
import type { Section } from './sections/section.ts'
import { maxItemSize, maxItems, maxPackageSize, packagesDirectory } from './settings.ts'
import type { Transfer } from './transfer.ts'

export interface TransferServices {
  readonly auth: Auth
  readonly bulkWrites: Guarded<BulkWrites>
  readonly config: Config
  readonly content: Content
  readonly database: Database
  readonly schemas: Schemas
  readonly storedEntries: StoredEntries
  readonly trash: Guarded<Trash>
  readonly audit?: Audit | undefined
  readonly localizations?: Localizations | undefined
  readonly releases?: Releases | undefined
}

/** Assembles the parts of the plugin. */
export function composeTransfer(services: TransferServices) {
  const { config, database, localizations } = services
  const hasLocales = ({ options }: ContentType) => localizations !== undefined && options.i18n.enabled
  const keys = createEntryKeys(database, hasLocales)
  const sections = sectionsOf(services, keys)
  const environment = createEnvironment(database)
  const agreements = createAgreements(database)
  const parts = { ...services, keys, sections, environment, agreements }
  const reads = createTransferReads({
    ...parts,
    version: serviceManifest.version,
    releases: services.releases,
  })
  const applying: ApplyDeps = {
    ...parts,
    ...{ audit: services.audit, localizations },
    packages: createPackageStore(database),
    maxItems: () => config.get(maxItems),
  }
  const directory = packagesDirectory(config)
  const folder = createPackageFolder(directory, () => ({
    maxPackage: config.get(maxPackageSize),
    maxItem: config.get(maxItemSize),
  }))
  const open = (path: string) => openPackageFile(path, config.get(maxItemSize))
  const transfer: Transfer = {
    side: createLocalSide({ reads, applying, open }),
    async newPath() {
      await mkdir(directory, { recursive: true })
      return join(directory, `${randomUUID()}.ndjson`)
    },
    renewId: () => environment.renew(),
  }
  return { transfer, routes: [...readRoutes(reads), ...packageRoutes(createPackages(folder, applying))] }
}

function sectionsOf(services: TransferServices, keys: EntryKeys): ReadonlyMap<string, Section> {
  const { schemas, localizations } = services
  const deps = { ...services, keys, localizations, titleOf }
  const all: Section[] = [...schemas.types.values()].map((type) => contentSection(type, deps))
  return new Map(all.map((section) => [section.name, section]))
}

function titleOf(type: ContentType, entry: Entry): string | null {
  const title = entry[titleFieldOf([...type.attributes.values()], type.pluginOptions)]
  return typeof title === 'string' ? title : null
}
