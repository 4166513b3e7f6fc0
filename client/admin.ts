import {
  type ApiTokens,
  type ContentAction,
  createApiTokens,
  createRoles,
  type Roles,
} from './access-control.ts'
import { type AdminAccounts, createAdminAccounts } from './accounts.ts'
import type {
  Calendar,
  FutureChanges,
  ListedPlugin,
  MetricsSummary,
  RecentEntry,
  RevertedBatch,
  Scheduled,
  Versions,
} from './answers.ts'
import type { Client } from './client.ts'
import type { DescribedComponent, DescribedType } from './described-types.ts'
import type { EntryUsage } from './editorial.ts'
import { createMediaFolders, type MediaFolders } from './media-folders.ts'
import { queryString } from './query-string.ts'
import { createReleases, type Releases } from './releases.ts'
import { createSchemaFiles, type SchemaFilesApi } from './schema-files.ts'
import type { Account } from './sessions.ts'
import { createTogether, type Together } from './together.ts'

export type {
  ApiTokens,
  ContentAction,
  MediaAction,
  Role,
  RolePermissions,
  Roles,
  TokenRotation,
} from './access-control.ts'
export type { AdminAccounts } from './accounts.ts'
export type * from './answers.ts'
export type {
  DescribedAttribute,
  DescribedComponent,
  DescribedType,
  DescribedWorkflow,
} from './described-types.ts'
export type { EntryUsage, FieldUsage } from './editorial.ts'
export type { MediaFolderNode, MediaFolders } from './media-folders.ts'
export type { ReleaseFilter, Releases } from './releases.ts'
export type {
  OptionSchema,
  SchemaFile,
  SchemaFileChanges,
  SchemaFiles,
  SchemaFilesApi,
} from './schema-files.ts'
export type { Together } from './together.ts'

interface PanelItem {
  readonly id: string
  readonly label: string
  readonly icon?: string
}

/** What the panel starts with. */
export interface PanelDocument {
  readonly me: { readonly id: number; readonly username: string; readonly role: string }
  readonly permissions: {
    /** By type; types that are not readable are not there. */
    readonly content: Readonly<Record<string, readonly ContentAction[]>>
    readonly media: readonly ('read' | 'write' | 'delete')[]
    readonly areas: Readonly<Record<string, readonly string[]>>
    readonly isAdministrator: boolean
    readonly isSuperAdmin: boolean
  }
  /** Names of those that are on. */
  readonly plugins: readonly string[]
  readonly items: {
    readonly navigation: readonly (PanelItem & { readonly href: string })[]
    readonly widgets: readonly (PanelItem & { readonly source: string; readonly display: string })[]
    readonly settings: readonly (PanelItem & { readonly category: string })[]
  }
  /** What plugins add as code. `problem`: why one could not be bundled; its `url` is empty. */
  readonly modules: readonly {
    readonly plugin: string
    readonly url: string
    readonly styles?: string
    readonly problem?: string
  }[]
  readonly settings: Readonly<Record<string, unknown>>
  readonly theme: string
  readonly versions: { readonly mortise: string }
}

/** A saved view of a list. */
export interface SavedView<Config = Readonly<Record<string, unknown>>> {
  readonly id: number
  readonly type: string
  readonly name: string
  readonly config: Config
  /** The roles that it is shared with; null: private. */
  readonly roles: readonly string[] | null
  readonly owner: { readonly id: number }
  readonly mine: boolean
  readonly editable: boolean
  readonly created_at: string
  readonly updated_at: string
}

type ViewContent = Pick<SavedView, 'name' | 'config'> & Partial<Pick<SavedView, 'roles'>>

interface Cancelling {
  readonly signal?: AbortSignal
}

/** What the admin panel asks the service. */
export interface Admin extends Together {
  /** A token of 15 minutes for the holder of the session cookie; in pages of the service's origin only. */
  token(options?: Cancelling): Promise<{
    readonly token: string
    readonly expiresAt: string
    readonly user: Account
    readonly mustChangePassword: boolean
  }>
  panel(options?: Cancelling): Promise<PanelDocument>
  contentTypes(options?: Cancelling): Promise<readonly DescribedType[]>
  contentType(name: string, options?: Cancelling): Promise<DescribedType>
  components(options?: Cancelling): Promise<readonly DescribedComponent[]>
  component(uid: string, options?: Cancelling): Promise<DescribedComponent>
  /** Where an entry is used, and what deleting it would do. */
  usage(type: string, id: number, options?: Cancelling & { readonly limit?: number }): Promise<EntryUsage>
  /** Entries that the caller, or others, have written last. */
  recent(
    by: 'me' | 'others',
    options?: Cancelling & { readonly limit?: number },
  ): Promise<readonly RecentEntry[]>
  scheduled(options?: Cancelling & { readonly limit?: number }): Promise<Scheduled>
  /** A token of ten minutes that reads the draft of this entry, for a page that shows it. */
  previewToken(
    type: string,
    id: number,
    options?: Cancelling,
  ): Promise<{ readonly token: string; readonly expiresAt: string }>
  /**
   * Populates fields that are not saved, as a preview shows them; `populate` as in the API. `id`: the entry that they are of, if it
   * is stored.
   */
  previewFields(
    type: string,
    fields: Readonly<Record<string, unknown>>,
    populate: string,
    options?: Cancelling & { readonly id?: number | undefined },
  ): Promise<Readonly<Record<string, unknown>>>
  /** For administrators. */
  plugins(options?: Cancelling): Promise<readonly ListedPlugin[]>
  /** For administrators. */
  versions(options?: Cancelling): Promise<Versions>
  /** The last hour of the service, and its gauges as they are now. */
  metrics(options?: Cancelling): Promise<MetricsSummary>
  /** Undoes a bulk write of the last ten minutes, by the id of the `batch` in its answer. */
  revertBatch(id: string, options?: Cancelling): Promise<RevertedBatch>
  /** Admin users by a part of their username. */
  people(
    search?: string,
    options?: Cancelling & { readonly limit?: number },
  ): Promise<readonly { readonly id: number; readonly username: string }[]>
  readonly preferences: {
    /** @throws MortiseError 404 if there is none */
    get<Value>(key: string, options?: Cancelling): Promise<Value>
    put<Value>(key: string, value: Value, options?: Cancelling): Promise<Value>
    delete(key: string, options?: Cancelling): Promise<null>
  }
  readonly accounts: AdminAccounts
  /** What is published and unpublished between two times, at most 100 days apart. */
  calendar(from: string, to: string, options?: Cancelling): Promise<Calendar>
  /** What readers will find otherwise at a moment to come. */
  futureChanges(until: string, options?: Cancelling): Promise<FutureChanges>
  readonly releases: Releases
  readonly roles: Roles
  readonly apiTokens: ApiTokens
  readonly mediaFolders: MediaFolders
  readonly schemaFiles: SchemaFilesApi
  readonly views: {
    list(type: string, options?: Cancelling): Promise<readonly SavedView[]>
    create(view: ViewContent & { readonly type: string }, options?: Cancelling): Promise<SavedView>
    update(id: number, change: Partial<ViewContent>, options?: Cancelling): Promise<SavedView>
    delete(id: number, options?: Cancelling): Promise<null>
  }
}

/** The endpoints of the panel, over a client of the service. */
export function createAdmin({ send }: Pick<Client<never>, 'send'>): Admin {
  const get = <Data>(path: string, options: Cancelling = {}) => send<Data>('GET', `/admin/${path}`, options)
  const named = (path: string, name: string | number) => `${path}/${encodeURIComponent(name)}`
  const to = (path: string, name: string | number) => `/admin/${named(path, name)}`
  return {
    ...createTogether({ send }),
    token: (options) => get('auth/token', options),
    panel: (options) => get('panel', options),
    contentTypes: (options) => get('content-types', options),
    contentType: (name, options) => get(named('content-types', name), options),
    components: (options) => get('components', options),
    component: (uid, options) => get(named('components', uid), options),
    people: (search, { limit, ...options } = {}) => get(`people${queryString({ search, limit })}`, options),
    usage: (type, id, { limit, ...options } = {}) =>
      send('GET', `/content/${encodeURIComponent(type)}/${id}/usage${queryString({ limit })}`, options),
    recent: (by, { limit, ...options } = {}) => get(`recent${queryString({ by, limit })}`, options),
    scheduled: ({ limit, ...options } = {}) => get(`scheduled${queryString({ limit })}`, options),
    previewToken: (type, id, options) =>
      send('POST', `/content/${encodeURIComponent(type)}/${id}/preview-token`, options),
    previewFields: (type, fields, populate, { id, ...options } = {}) =>
      send('POST', `/content/${encodeURIComponent(type)}/preview`, {
        ...options,
        body: { fields, populate, ...(id !== undefined && { id }) },
      }),
    plugins: (options) => get('plugins', options),
    versions: (options) => get('versions', options),
    metrics: (options) => get('metrics/summary', options),
    revertBatch: (id, options) => send('POST', `${to('batches', id)}/revert`, options),
    preferences: {
      get: (key, options) => get(named('preferences', key), options),
      put: (key, value, options) => send('PUT', to('preferences', key), { ...options, body: { value } }),
      delete: (key, options) => send('DELETE', to('preferences', key), options),
    },
    accounts: createAdminAccounts({ send }),
    calendar: (from, to, options) => get(`calendar${queryString({ from, to })}`, options),
    futureChanges: (until, options) => get(`calendar/changes${queryString({ until })}`, options),
    releases: createReleases({ send }),
    roles: createRoles({ send }),
    apiTokens: createApiTokens({ send }),
    mediaFolders: createMediaFolders({ send }),
    schemaFiles: createSchemaFiles({ send }),
    views: {
      list: (type, options) => get(`views${queryString({ type })}`, options),
      create: (body, options) => send('POST', '/admin/views', { ...options, body }),
      update: (id, body, options) => send('PUT', to('views', id), { ...options, body }),
      delete: (id, options) => send('DELETE', to('views', id), options),
    },
  }
}
