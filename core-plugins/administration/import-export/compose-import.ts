import type { Auth } from '../../accounts/auth/auth.ts'
import { type Media, maxFileSize } from '../../delivery/media/media.ts'
import type { Localizations } from '../../editing/i18n/i18n.ts'
import type { BulkWrites, Content, ContentQueries, Guarded } from '../../entries/content/content.ts'
import { type Config, siteAddress } from '../../foundation/config/config.ts'
import type { Database, UniqueWaits } from '../../foundation/database/database.ts'
import { createAddressGuard, openGuard } from '../../foundation/outgoing/outgoing.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { ExportService } from './export-service.ts'
import { openExport } from './exports/read-entries.ts'
import { fileOf } from './exports/write-file.ts'
import { assertAddress, createKeyWriter } from './exports/write-keys.ts'
import type { ImportService } from './import-export.ts'
import { createDownloads, type Downloads } from './imports/download.ts'
import { createImportService } from './imports/import-service.ts'
import { createImportStore, type ImportStore } from './imports/import-store.ts'
import { createImportedMedia } from './imports/imported-media.ts'
import { createKeyLookup } from './imports/key-lookup.ts'
import { createKeyFinder } from './imports/key-places.ts'
import { createMediaSources } from './imports/media-sources.ts'
import { createRowLocales } from './row-locales.ts'
import { allowPrivateNetworks } from './settings.ts'

export interface ImportParts {
  readonly auth: Auth
  readonly bulkWrites: Guarded<BulkWrites>
  readonly config: Config
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly database: Database
  readonly schemas: Schemas
  readonly localizations: Localizations | undefined
  readonly media: Media | undefined
  readonly uniqueWaits: UniqueWaits
}

export interface ComposedImport {
  readonly imports: ImportService
  readonly exports: ExportService
  readonly store: ImportStore
  readonly downloads: Downloads
  close(): Promise<void>
}

export function composeImport(parts: ImportParts): ComposedImport {
  const { auth, config, database, schemas, localizations, media } = parts
  const store = createImportStore(database)
  const downloads = createDownloads(guardOf(config))
  const lookup = createKeyLookup({ ...parts, defaultLocaleOf: localizations?.defaultLocaleOf })
  const imports = createImportService({
    ...parts,
    store,
    keys: createKeyFinder(schemas),
    lookup,
    locales: createRowLocales(schemas, localizations),
    media: createMediaSources({
      ...{ auth, media, downloads, imported: createImportedMedia(database) },
      maxFileSize: () => config.get(maxFileSize),
      siteAddress: () => siteAddress(config),
    }),
  })
  const addressOf = (filename: string) => absoluteUrl(media?.urlOf(filename) ?? '', siteAddress(config))
  const keyWriter = createKeyWriter({ ...parts, lookup, addressOf })
  const exports: ExportService = {
    async open({ format, ...request }) {
      assertAddress(request.media, siteAddress(config), media?.urlOf('') ?? '')
      return fileOf(await openExport({ ...parts, keyWriter }, request), format, schemas)
    },
  }
  return { imports, exports, store, downloads, close: () => downloads.close() }
}

/** Completes the address of a file that is served here, which is only a path. */
function absoluteUrl(url: string, site: string): string {
  return url.startsWith('/') ? `${site}${url}` : url
}

/** In development, private addresses are allowed, because sources run on the developer's machine. */
function guardOf(config: Config) {
  const isOpen = config.environment !== 'production' || config.get(allowPrivateNetworks)
  return isOpen ? openGuard : createAddressGuard({ allowedBy: allowPrivateNetworks.key })
}
