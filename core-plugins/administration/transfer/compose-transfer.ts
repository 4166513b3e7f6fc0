import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../../kernel/index.ts'
import serviceManifest from '../../../package.json' with { type: 'json' }
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Audit } from '../../background/audit/audit.ts'
import { type Media, maxFileSize } from '../../delivery/media/media.ts'
import type { Localizations } from '../../editing/i18n/i18n.ts'
import type { Releases } from '../../editing/releases/releases.ts'
import type { Authors } from '../../entries/authors/authors.ts'
import type { ChangeLog } from '../../entries/changes/changes.ts'
import type {
  BulkWrites,
  Content,
  Entry,
  Guarded,
  StoredEntries,
  Trash,
} from '../../entries/content/content.ts'
import { titleFieldOf } from '../../entries/content-types/content-types.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { EntryCompanion, Section, TransferSection } from '../../foundation/sections/sections.ts'
import { createAgreements } from './agreements.ts'
import type { ApplyDeps } from './apply/apply-package.ts'
import { createEnvironment } from './environment.ts'
import { fileRoutes } from './file-routes.ts'
import { createLocalSide } from './local-side.ts'
import { openPackageFile } from './package/package-file.ts'
import { createPackageStore } from './package/package-store.ts'
import { createReceivedFolder } from './package/received-folder.ts'
import { packageRoutes } from './package-routes.ts'
import { createPackages } from './packages.ts'
import { createTransferReads } from './reads.ts'
import { readRoutes } from './routes.ts'
import { contentSection } from './sections/content-section.ts'
import { createEntryKeys, type EntryKeys } from './sections/entry-keys.ts'
import { createKeptHashes, type KeptHashes } from './sections/kept-hashes.ts'
import { dependentsIn } from './sections/kept-types.ts'
import { createFileHashes } from './sections/media/file-hashes.ts'
import { folderSection } from './sections/media/folder-section.ts'
import { mediaSection } from './sections/media/media-section.ts'
import { maxFilesSize, maxItemSize, maxItems, maxPackageSize, packagesDirectory } from './settings.ts'
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
  readonly authors?: Authors | undefined
  readonly changeLog?: ChangeLog | undefined
  readonly localizations?: Localizations | undefined
  readonly media?: Media | undefined
  readonly releases?: Releases | undefined
}

/** The contributions of plugins, complete once all of them have booted. */
export interface Contributed {
  readonly sections: () => readonly TransferSection[]
  readonly companions: () => readonly EntryCompanion[]
}

/** Assembles the parts of the plugin. */
export function composeTransfer(services: TransferServices, contributed: Contributed, log: Log) {
  const { config, database, localizations, media } = services
  const hasLocales = ({ options }: ContentType) => localizations !== undefined && options.i18n.enabled
  const keys = createEntryKeys(database, hasLocales)
  const kept = keptHashes(services, log)
  const sections = sectionsOf(services, { keys, contributed, kept })
  const environment = createEnvironment(database)
  const agreements = createAgreements(database)
  const folders = receivedFolders(config)
  const parts = { ...services, keys, sections, environment, agreements, ...folders }
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
  const open = (path: string) => openPackageFile(path, config.get(maxItemSize))
  const transfer: Transfer = {
    side: createLocalSide({ reads, applying, open, files: folders.files }),
    async newPath() {
      const directory = packagesDirectory(config)
      await mkdir(directory, { recursive: true })
      return join(directory, `${randomUUID()}.ndjson`)
    },
    renewId: () => environment.renew(),
  }
  return {
    transfer,
    files: media && {
      ...mediaParts(services, { media, keys }),
      routes: fileRoutes({ auth: services.auth, files: folders.files, reads }),
    },
    routes: [...readRoutes(reads), ...packageRoutes(createPackages({ ...folders, applying, open }))],
  }
}

function keptHashes({ database, changeLog, schemas }: TransferServices, log: Log): KeptHashes | undefined {
  return changeLog && createKeptHashes({ database, changeLog, log, dependents: dependentsIn(schemas) })
}

/** The folders for packages and files received from other environments. */
function receivedFolders(config: Config) {
  const directory = packagesDirectory(config)
  const received = createReceivedFolder({
    ...{ directory, noun: 'package', extension: '.ndjson' },
    maxBytes: () => ({ bytes: config.get(maxPackageSize), setting: maxPackageSize.key }),
    hasRoom: ({ count }) => count < maxWaitingPackages,
  })
  const files = createReceivedFolder({
    ...{ directory: join(directory, 'files'), noun: 'file', extension: '' },
    maxBytes: () => ({ bytes: config.get(maxFileSize), setting: maxFileSize.key }),
    hasRoom: ({ bytes }) => bytes < config.get(maxFilesSize),
  })
  return { received, files }
}

const maxWaitingPackages = 20

function mediaParts(services: TransferServices, given: { readonly media: Media; readonly keys: EntryKeys }) {
  const { media } = given
  const hashes = createFileHashes(services.database, media)
  const deps = { ...services, ...given, hashes }
  return {
    sections: [folderSection({ ...deps, writes: () => media.writes }), mediaSection(deps)],
    forget: hashes.forget,
  }
}

/** All sections, in the order in which they are written. */
function sectionsOf(
  services: TransferServices,
  {
    keys,
    contributed,
    kept,
  }: { readonly keys: EntryKeys; readonly contributed: Contributed; readonly kept: KeptHashes | undefined },
): () => ReadonlyMap<string, Section> {
  const { schemas, localizations } = services
  const deps = {
    ...{ ...services, keys, localizations, titleOf, kept },
    companions: contributed.companions,
    version: serviceManifest.version,
  }
  let all: ReadonlyMap<string, Section> | undefined
  return () => {
    all ??= new Map(
      [
        ...contributed.sections().filter(({ isBeforeContent }) => isBeforeContent === true),
        ...[...schemas.types.values()].map((type) => contentSection(type, deps)),
        ...contributed.sections().filter(({ isBeforeContent }) => isBeforeContent !== true),
      ].map((section) => [section.name, section]),
    )
    return all
  }
}

function titleOf(type: ContentType, entry: Entry): string | null {
  const title = entry[titleFieldOf([...type.attributes.values()], type.pluginOptions)]
  return typeof title === 'string' ? title : null
}
