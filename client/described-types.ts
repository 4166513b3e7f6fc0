/** A field as its schema file declares it; the options of its type are members, too. */
export interface DescribedAttribute {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly required: boolean
  readonly localized: boolean
  readonly condition?: { readonly field: string; readonly operator: string; readonly value: unknown }
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  /** The plugin that adds it. */
  readonly plugin?: string
  /** Of relations and media. */
  readonly target?: string
  readonly many?: boolean
  readonly inverse?: boolean
  readonly [option: string]: unknown
}

/** A content type, as far as the caller may know it. */
export interface DescribedType {
  readonly name: string
  readonly kind: 'collectionType' | 'singleType'
  readonly system: boolean
  readonly plugin: string | null
  readonly info: {
    readonly singularName: string
    readonly pluralName: string
    readonly displayName: string
    readonly description: string
  }
  readonly options: Readonly<Record<string, unknown>>
  readonly pluginOptions: Readonly<Record<string, unknown>>
  readonly indexes: readonly { readonly fields: readonly string[]; readonly type: string }[]
  /** The field by which people recognise an entry. */
  readonly titleField: string
  readonly locales: readonly string[]
  readonly defaultLocale: string | null
  readonly workflow: DescribedWorkflow | null
  /** In the order of the schema file. */
  readonly attributes: readonly DescribedAttribute[]
  /** What entries show beside, from columns of plugins, each with a type of attributes. Not of earlier services. */
  readonly addedFields?: readonly { readonly name: string; readonly type: string }[]
  /** The fields that point at it. */
  readonly referencedBy: readonly {
    readonly type?: string
    readonly component?: string
    readonly attribute: string
    readonly many: boolean
  }[]
}

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
    readonly roles?: readonly string[]
  }[]
}

export interface DescribedComponent {
  readonly uid: string
  readonly category: string
  readonly plugin: string | null
  readonly info: { readonly displayName: string; readonly description: string; readonly icon: string }
  readonly titleField: string
  readonly attributes: readonly DescribedAttribute[]
}
