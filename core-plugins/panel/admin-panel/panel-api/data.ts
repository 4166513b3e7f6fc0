import type { ContentAction } from '../../../../client/admin.ts'
import type { Client, TypeShape } from '../../../../client/client.ts'

/** Who is signed in, and what that allows. It only says what not to offer: the service checks every request anew. */
export interface Access {
  readonly user: { readonly id: number; readonly username: string; readonly role: string }
  readonly isAdministrator: boolean
  readonly isSuperAdmin: boolean
  /** Whether entries of a type may be read, created, updated, deleted or published. */
  mayContent(type: string, action: ContentAction): boolean
  mayMedia(action: 'read' | 'write' | 'delete'): boolean
  /** An area of administration: `mayArea('webhooks', 'write')`. */
  mayArea(area: string, action?: 'read' | 'write'): boolean
  /** Whether a plugin of the service is on. */
  isOn(plugin: string): boolean
  /** A setting that every admin user may know, by its key. */
  setting(key: string): unknown
}

export declare function useAccess(): Access

/** The types of a service are known at run time only. */
export type AnyTypes = Readonly<Record<string, TypeShape & { readonly kind: never }>>

/**
 * The service, as whoever is signed in: `api.send('GET', '/x/seo/worst')`. Where the session has ended, a request waits
 * until somebody has signed in again. Rejects with a MortiseError where the service refuses.
 */
export declare const api: Client<AnyTypes>

export interface QueryOptions<Data> {
  /** Begins with the plugin's name: `['seo', 'worst']`. What has the same key is asked for once. */
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
  /** False: not yet. */
  readonly enabled?: boolean
  /** How long an answer is not asked for again, in milliseconds; default ten seconds. */
  readonly staleTime?: number
}

export interface QueryResult<Data> {
  /** Undefined until it has come. */
  readonly data: Data | undefined
  readonly error: Error | null
  /** There is no data yet. */
  readonly isPending: boolean
  /** It is being asked for, for the first time or again. */
  readonly isFetching: boolean
  readonly refetch: () => Promise<unknown>
}

/** Data of the service, kept in the panel's cache, and asked for again when somebody comes back to the tab. */
export declare function useQuery<Data>(options: QueryOptions<Data>): QueryResult<Data>

/** Has all data whose key begins with these parts asked for again: after a write that changes it. */
export declare function invalidate(queryKey: readonly unknown[]): Promise<void>

/** A setting with its value, as an administrator sees it. Secrets are not among them. */
export interface PanelSetting {
  /** `plugins.seo.titleLength`, by which it is saved. */
  readonly key: string
  readonly label: string
  readonly description: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'string[]' | 'json'
  /** Null: none is set, and there is no default. */
  readonly value: unknown
  readonly default: unknown
  /** Which layer the value is from. */
  readonly source: 'env' | 'file' | 'database' | 'default'
  /** It cannot be changed here: a variable of the environment sets it, or it is fixed at the start. */
  readonly locked: boolean
  readonly envVar: string
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly enum?: readonly string[]
}

export interface SettingsAccess {
  /** In the order of their keys; undefined until they are known. */
  readonly settings: readonly PanelSetting[] | undefined
  readonly error: Error | null
  /** Whoever is signed in may look, but not write. */
  readonly isReadOnly: boolean
  /** Writes some of them, by key; null takes one back to its default. Rejects with a MortiseError, whose details name keys. */
  readonly save: (values: Readonly<Record<string, unknown>>) => Promise<void>
}

/** The settings of a category: `plugins.seo`. */
export declare function useSettings(category: string): SettingsAccess

/** Texts by name, in languages; English stands in for what another language lacks. */
export interface PanelTexts<Name extends string> {
  readonly en: Readonly<Record<Name, string>>
  readonly [language: string]: Readonly<Partial<Record<Name, string>>>
}

/**
 * Texts of the plugin in the language of the panel, with holes and plurals in ICU:
 * `const t = defineTexts({ en: { words: '{count, plural, one {# word} other {# words}}' } })`.
 */
export declare function defineTexts<Name extends string>(
  texts: PanelTexts<Name>,
): (name: Name, values?: Readonly<Record<string, string | number | Date>>) => string

/** The language of the panel: `en`, `de`. */
export declare function language(): string

/** Leads to another screen of the panel: `navigate('/content/article')`. */
export declare function navigate(path: string): void

/** Says in passing that something has been done, or has gone wrong. */
export declare function toast(
  tone: 'info' | 'success' | 'danger',
  text: string,
  action?: { readonly label: string; readonly onAction: () => void },
): void
