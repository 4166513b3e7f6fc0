import type { ContentAction } from '../../../../client/admin.ts'
import type { Client, TypeShape } from '../../../../client/client.ts'

/** The signed-in user and their permissions. Use it only to decide what to offer: the service checks every request itself. */
export interface Access {
  readonly user: { readonly id: number; readonly username: string; readonly role: string }
  readonly isAdministrator: boolean
  readonly isSuperAdmin: boolean
  /** Whether entries of a type may be read, created, updated, deleted or published. */
  mayContent(type: string, action: ContentAction): boolean
  mayMedia(action: 'read' | 'write' | 'delete'): boolean
  /** Whether an area of administration may be read or written: `mayArea('webhooks', 'write')`. */
  mayArea(area: string, action?: 'read' | 'write'): boolean
  /** Whether a plugin of the service is on. */
  isOn(plugin: string): boolean
  /** A setting visible to every admin user, by its key. */
  setting(key: string): unknown
}

export declare function useAccess(): Access

/** Content types are only known at run time. */
export type AnyTypes = Readonly<Record<string, TypeShape & { readonly kind: never }>>

/**
 * The API client with the user's session: `api.send('GET', '/x/seo/worst')`. If the session has ended, a request waits until the
 * user has signed in again. Rejects with a MortiseError if the service refuses the request.
 */
export declare const api: Client<AnyTypes>

export interface QueryOptions<Data> {
  /** Must begin with the plugin's name: `['seo', 'worst']`. Queries with equal keys share one request. */
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
  /** If false, the query is not sent yet. */
  readonly enabled?: boolean
  /** How long a response counts as fresh, in milliseconds; default ten seconds. */
  readonly staleTime?: number
}

export interface QueryResult<Data> {
  /** Undefined until it is loaded. */
  readonly data: Data | undefined
  readonly error: Error | null
  /** Whether there is no data yet. */
  readonly isPending: boolean
  /** Whether a request is in progress, the first or a later one. */
  readonly isFetching: boolean
  readonly refetch: () => Promise<unknown>
}

/** Data from the service, kept in the panel's cache and reloaded when the user returns to the tab. */
export declare function useQuery<Data>(options: QueryOptions<Data>): QueryResult<Data>

/** Reloads all queries whose key begins with these parts: call it after a write that changes their data. */
export declare function invalidate(queryKey: readonly unknown[]): Promise<void>

/** A setting with its value, as shown to administrators. Secrets are left out. */
export interface PanelSetting {
  /** The key for saving it: `plugins.seo.titleLength`. */
  readonly key: string
  readonly label: string
  readonly description: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'string[]' | 'json'
  /** Null if no value is set and there is no default. */
  readonly value: unknown
  readonly default: unknown
  /** The layer that the value comes from. */
  readonly source: 'env' | 'file' | 'database' | 'default'
  /** Whether it cannot be changed here, because an environment variable sets it or it is fixed at startup. */
  readonly locked: boolean
  readonly envVar: string
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly enum?: readonly string[]
}

export interface SettingsAccess {
  /** In the order of their keys; undefined while loading. */
  readonly settings: readonly PanelSetting[] | undefined
  readonly error: Error | null
  /** Whether the user may read but not write. */
  readonly isReadOnly: boolean
  /** Saves values by key; null restores a default. Rejects with a MortiseError whose details name keys. */
  readonly save: (values: Readonly<Record<string, unknown>>) => Promise<void>
}

/** The settings of a category: `plugins.seo`. */
export declare function useSettings(category: string): SettingsAccess

/** Texts by name and language; English is used for texts that another language lacks. */
export interface PanelTexts<Name extends string> {
  readonly en: Readonly<Record<Name, string>>
  readonly [language: string]: Readonly<Partial<Record<Name, string>>>
}

/**
 * Texts of the plugin in the panel's language, with placeholders and plurals in ICU syntax:
 * `const t = defineTexts({ en: { words: '{count, plural, one {# word} other {# words}}' } })`.
 */
export declare function defineTexts<Name extends string>(
  texts: PanelTexts<Name>,
): (name: Name, values?: Readonly<Record<string, string | number | Date>>) => string

/** The language of the panel: `en`, `de`. */
export declare function language(): string

/** Opens another screen of the panel: `navigate('/content/article')`. */
export declare function navigate(path: string): void

/** Shows a brief message that something was done or failed. */
export declare function toast(
  tone: 'info' | 'success' | 'danger',
  text: string,
  action?: { readonly label: string; readonly onAction: () => void },
): void
