import { resolve } from 'node:path'
import type { InitContext, Log } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { Jobs } from '../../background/jobs/jobs.ts'
import type { Content, ContentQueries, StoredEntries } from '../../entries/content/content.ts'
import { createUsageIndex, type UsageIndex } from '../../entries/usage-index/usage-index.ts'
import { type Config, dataDir } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Http } from '../../foundation/http/http.ts'
import type { RoomWatch } from '../../foundation/room/room.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Threads } from '../../foundation/threads/threads.ts'
import { createImageCrop } from './crop/crop-image.ts'
import { createCropRoute } from './crop/crop-route.ts'
import { type Addresses, createAddresses } from './files/addresses.ts'
import { watchFileRoom } from './files/file-room.ts'
import { createFileRoute } from './files/file-route.ts'
import { createFileServer, type FileServer } from './files/file-server.ts'
import { createFileStore, deleteFilesJob, type FileStore, randomKey } from './files/file-store.ts'
import { createFormerFiles, type FormerFiles } from './files/former-files.ts'
import { createKnownBases } from './files/known-bases.ts'
import { openLocalStorage } from './files/local-storage.ts'
import { openConfiguredStorage } from './files/open-storage.ts'
import { createOriginalRoute } from './files/original-route.ts'
import { createPendingFiles, type PendingFiles } from './files/pending-files.ts'
import { shownAddresses } from './files/shown-addresses.ts'
import { openSpool, type Spool } from './files/spool.ts'
import { StorageWatch } from './files/storage-watch.ts'
import { tryOut } from './files/try-out.ts'
import { watchErrors } from './files/watched-storage.ts'
import { createDescriptions } from './library/descriptions.ts'
import { createFolderRoutes } from './library/folder-routes.ts'
import { createFolders } from './library/folders.ts'
import { allKeysOf, filesOf, keysOf } from './library/keys.ts'
import { createLibrary, type Library, systemEntries } from './library/library.ts'
import { mediaFeature } from './library/media-feature.ts'
import { createMediaRoutes } from './library/media-routes.ts'
import { createMediaWrites } from './library/media-writes.ts'
import { createOriginalNames } from './library/original-names.ts'
import { createRecordUpdate } from './library/record-update.ts'
import { createUntouchedFiles } from './library/untouched-files.ts'
import { deletionHolds, fileRemovals, type Media, type MediaWrites } from './media.ts'
import { createCleaning } from './private-data/cleaning-job.ts'
import { localStorage, uploadDir } from './settings.ts'
import { createMediaState } from './state.ts'
import type { MediaStorage, StorageKind } from './storage.ts'
import { createStorageAlerts, type StorageAlerts } from './storage-alerts.ts'
import { importFile } from './upload/import-file.ts'
import { prepareFile } from './upload/prepare-file.ts'
import { createUploadRoutes } from './upload/upload-routes.ts'
import { createReplacementCheck } from './usages/assert-replaceable.ts'
import { checkKinds } from './usages/check-kinds.ts'
import { createFileUsages } from './usages/file-usages.ts'
import { fileIndex } from './usages/index-files.ts'
import { createMediaFields } from './usages/media-fields.ts'
import { createUsageRoutes } from './usages/usage-routes.ts'
import { createUsageStore } from './usages/usage-store.ts'

export interface MediaServices {
  readonly alerts: Alerts | undefined
  readonly auth: Auth
  readonly config: Config
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly storedEntries: StoredEntries
  readonly database: Database
  readonly http: Http
  readonly jobs: Jobs
  readonly schemas: Schemas
  readonly threads: Threads
}

/** Assembles the parts of the plugin. The storage is opened later, once all plugins have contributed theirs. */
export function composeMedia({ services, contributions, log, emit }: InitContext<MediaServices>) {
  const { auth, config, storedEntries, database, http, jobs, schemas, threads } = services
  const opened: { storage?: MediaStorage; spool?: Spool } = {}
  const storage = () => assertOpen(opened.storage)
  const spool = () => assertOpen(opened.spool)

  const alerts = createStorageAlerts(services.alerts)
  const [room, watch] = [watchFileRoom(spool, { log, emit }), watchStorage(storage, { log, alerts })]

  const knownBases = createKnownBases(database)
  const addresses = createAddresses(config, http.apiPrefix, knownBases.list)
  const deletion = deleteFilesJob({ database, storage, holds: () => contributions(deletionHolds) })
  const [pending, state] = [createPendingFiles(database), createMediaState(database)]
  const fileStore = createFileStore(
    { database, jobs, pending, storage, removals: () => contributions(fileRemovals), log },
    deletion,
  )
  const [formerFiles, server] = [createFormerFiles(database), createFileServer(storage)]
  const [fields, store] = [createMediaFields(schemas), createUsageStore(database)]
  const usages = createFileUsages({ ...services, fields, store })
  const index = createUsageIndex(fileIndex({ fields, store, state }), services)

  const { entries, folders } = systemEntries(storedEntries)
  const update = createRecordUpdate(entries, emit)
  const descriptions = createDescriptions({ database, entries, update })
  const untouched = createUntouchedFiles(database)
  const library = createLibrary({
    ...{ database, entries, folders, fileStore, formerFiles, spool, untouched, usages, update, emit },
    assertReplaceable: createReplacementCheck({ auth, schemas, store }),
    prepare: (file, options) =>
      prepareFile(file, { addresses, config, log, spool: spool(), threads }, options),
  })
  const tree = createFolders(database, folders)
  const cleaning = createCleaning({ config, database, jobs, library, log, spool, state, storage, threads })

  return {
    media: mediaOf({
      ...{ addresses, formerFiles, fileStore, library, pending, room, server, spool, storage, index },
      writes: createMediaWrites({ entries, fileStore, folders: tree, library, untouched, update, emit }),
    }),
    jobKinds: [deletion, index.job, cleaning.job],
    kindCheck: checkKinds(store),
    stages: [index.stage],
    shown: shownAddresses(addresses, database.dialect),
    feature: mediaFeature({ library, descriptions, entries, folders: tree }),
    routes: [
      ...createUploadRoutes({ library, config, spool, room }),
      ...createUsageRoutes({ library, usages }),
      ...createMediaRoutes({ library, descriptions, entries }),
      createCropRoute(createImageCrop({ library, spool, storage, threads }), room),
      ...createFolderRoutes({ folders: tree, entries: folders }),
      createFileRoute({ addresses, server, formerFiles, originalNameOf: createOriginalNames(database) }),
      createOriginalRoute({ library, untouched, storage }),
      cleaning.route,
    ],
    afterRestore: formerFiles.restored,
    findKnownBases: () => knownBases.open(addresses.base),
    async open(kinds: readonly StorageKind[]): Promise<void> {
      Object.assign(opened, await openFiles(config, kinds, log, watch))
    },
    ...{ room, watch, start: index.requestIfStale },
    async removeLeftovers(): Promise<void> {
      await spool().removeLeftovers()
      await fileStore.removeLeftovers()
      await storage().removeLeftovers?.()
    },
    async close(): Promise<void> {
      await Promise.all([room.stop(), watch.stop()])
      await opened.storage?.close?.()
    },
  }
}

interface WatchParts {
  readonly log: Log
  readonly alerts: StorageAlerts
}

function watchStorage(storage: () => MediaStorage, { log, alerts }: WatchParts) {
  // One key for all trials, so that a storage that cannot delete files does not fill up with them.
  const key = `trial-${randomKey()}.txt`
  return new StorageWatch({
    log,
    tryOut: () => tryOut(storage(), key),
    onFailed: alerts.failed,
    onWorking: alerts.working,
  })
}

async function openFiles(config: Config, kinds: readonly StorageKind[], log: Log, watch: StorageWatch) {
  const storage = await openConfiguredStorage(config, kinds, log)
  const incoming = resolve(config.workingDirectory, config.get(dataDir), 'incoming')
  return {
    storage: watchErrors(storage, (error) => watch.suspect(error)),
    spool: await openSpool(storage.spoolDirectory ?? incoming),
  }
}

interface MediaParts {
  readonly addresses: Addresses
  readonly formerFiles: FormerFiles
  readonly fileStore: FileStore
  readonly library: Library
  readonly pending: PendingFiles
  readonly room: RoomWatch
  readonly server: FileServer
  readonly spool: () => Spool
  readonly storage: () => MediaStorage
  readonly index: Pick<UsageIndex<unknown>, 'request'>
  readonly writes: MediaWrites
}

/** The interface for other plugins. */
function mediaOf(parts: MediaParts): Media {
  const { addresses, fileStore, index, library, pending, room, server, spool, storage, writes } = parts
  return {
    get storage() {
      return storage()
    },
    keysOf,
    allKeysOf,
    filesOf,
    urlOf: addresses.urlOf,
    keyIn: addresses.keyIn,
    presentFile: parts.formerFiles.presentOf,
    route: addresses.route,
    serve: server.serve,
    scratch: {
      newPath: () => spool().newPath(),
      remove: (paths) => spool().remove(paths),
    },
    writes: { ...writes, store: (file) => room.guard(() => writes.store(file)) },
    findMany: (ids, request) => library.findMany(ids, request),
    files: {
      announce: pending.announce,
      async confirm(keys, tx) {
        await pending.settle(keys, tx)
      },
      discard: fileStore.discard,
    },
    add: (file) => room.guard(() => importFile(file, library)),
    reindexUsages: index.request,
  }
}

/** The built-in storage, which is always available. */
export function localStorageKind(config: Config): StorageKind {
  return {
    type: localStorage,
    open: () => openLocalStorage(resolve(config.workingDirectory, config.get(uploadDir))),
  }
}

function assertOpen<T>(part: T | undefined): T {
  if (part === undefined)
    throw new Error('the storage of files is not open yet; use it once the service has booted')
  return part
}
