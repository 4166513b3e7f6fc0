import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'

export { type EntryTitles, findTitles } from './entry-titles.ts'
export { titleFieldOf } from './title-field.ts'

/** The workflow of a type, as clients show it. */
export interface DescribedWorkflow {
  readonly initialState: string
  readonly states: readonly {
    readonly name: string
    readonly label: string
    readonly color: string | null
    readonly publishable: boolean
  }[]
  readonly transitions: readonly {
    readonly from: string
    readonly to: string
    readonly label: string
    /** Absent: everyone who may update entries of the type. */
    readonly roles?: readonly string[]
  }[]
}

/** Facts from plugins about a content type that its schema file does not contain. */
export interface TypeFacts {
  /** The locales that its entries can have. */
  readonly locales?: readonly string[]
  readonly defaultLocale?: string
  readonly workflow?: DescribedWorkflow
}

/**
 * Completes the descriptions of content types. Called when a description is generated, which is then cached, so the facts may
 * depend only on schemas and on the settings of locales.
 */
export const typeFacts: ExtensionPoint<(type: ContentType) => TypeFacts> = extensionPoint('typeFacts')
