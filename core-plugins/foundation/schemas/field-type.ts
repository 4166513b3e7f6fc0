import type { Static, TObject, TProperties, TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'
import type { ColumnKind } from '../database/database.ts'
import type { FileProblem } from './files/file-problem.ts'
import type { OperatorName } from './filter-operators.ts'

/** `condition` of an attribute: unless it is met, the field is hidden and its `required` is waived. */
export interface Condition {
  readonly field: string
  readonly operator: 'eq' | 'neq' | 'in' | 'notIn' | 'exists' | 'empty'
  readonly value: unknown
}

/** What attributes of all types have in common. */
export interface AttributeBase {
  /** As written in the schema file and used in the API. */
  readonly name: string
  /** snake_case; the column, if the attribute has one. */
  readonly column: string
  /** What it is for, described for editors and developers. */
  readonly description?: string
  readonly required: boolean
  readonly localized: boolean
  readonly condition?: Condition
  readonly renamedFrom?: string
  /** Options of plugins by plugin name, as written in the file. */
  readonly pluginOptions: Readonly<Record<string, unknown>>
  /** Never exposed: hashes and similar values, in system types only. */
  readonly private: boolean
  /** The plugin that adds it to a type or component of the project or of another plugin. */
  readonly plugin?: string
  /** As written in the schema file, without defaults: for descriptions of the file. */
  readonly declared: Readonly<Record<string, unknown>>
}

/** What attributes with a value of their own have in common. */
export interface ValueAttributeBase extends AttributeBase {
  readonly definition: ValueFieldType
}

/** Collects the problems of a value, at its place in the payload. */
export interface ValueReport {
  /** The time of the write, ISO 8601. */
  readonly now: string
  /** How many objects and arrays enclose the value, within its column. */
  readonly depth: number
  /** Reports a problem by a code for programs and a sentence without a subject: `must be a string`. */
  problem(code: string, message: string): void
}

/** Checks a value, never null or undefined, and returns it in stored form. */
export type ValueCheck = (value: unknown, report: ValueReport) => unknown

/** A valid value, or the problem with it. */
export type ParsedValue = { readonly value: unknown } | { readonly problem: string }

/** The column of a value. `length` is the maximum number of characters for the kind `string`. */
export interface FieldColumn {
  readonly kind: ColumnKind
  readonly length?: number
}

/** The type of a value in the GraphQL schema, as data. */
export type GraphqlValue =
  | { readonly scalar: GraphqlScalarName }
  /** A separate enum, or a string if GraphQL cannot name all values. */
  | { readonly values: readonly string[] }
  | { readonly ownScalar: GraphqlScalar }

/** The scalars that every schema contains. */
export const graphqlScalarNames = [
  'String',
  'Int',
  'BigInt',
  'Decimal',
  'Boolean',
  'Date',
  'DateTime',
  'JSON',
] as const

/** The scalars of the GraphQL schema that a field type can use. */
export type GraphqlScalarName = (typeof graphqlScalarNames)[number]

/** A scalar that a field type adds. */
export interface GraphqlScalar {
  /** PascalCase. If something else in the schema has the name, `_` is appended. */
  readonly name: string
  readonly description: string
  /** The error message if `takes` returns false: `must be a colour such as "#ff8800"`. */
  readonly rule: string
  /** Whether a value in a document or variable has the right type; the payload check does the rest. */
  takes(value: unknown): boolean
}

/** What determines how an attribute is completed, besides its own options. */
export interface AttributePlace {
  readonly required: boolean
  /** The `onDelete` of the inverse side of an owned relation. */
  readonly inverseOnDelete: 'CASCADE' | 'SET NULL' | 'RESTRICT' | undefined
}

interface FieldTypeBase<Options> {
  /** The value of `type` in an attribute. */
  readonly name: string
  /** One sentence for editors of schema files. */
  readonly description: string
  /** The options that a schema file may set for such an attribute, besides those common to all. */
  readonly options: TProperties
  /** Problems with the options beyond their shape. Paths are relative to the attribute. */
  checkOptions?(options: Options): readonly FileProblem[]
  /** The members of the attribute besides the common ones: its options with every default filled in. */
  complete(options: Options, place: AttributePlace): object
}

/** Whether and how an attribute can be indexed, depending on its options in the schema file. */
export interface IndexRules<Options> {
  /** Whether it can have a full-text index. */
  readonly isText: boolean
  /** Its size in an index, in characters; undefined if it cannot be indexed. */
  characters(options: Options): number | undefined
}

/** The values with which conditions of other attributes may compare such a field. */
export interface ComparableRules<Options> {
  isPossible(value: unknown, options: Options): boolean
  /** Completes the message `must be …`. */
  expected(options: Options): string
}

/**
 * A field with a value of its own. All members are called while the service starts, except the results of
 * `compileCheck` and `compileDefault`, which run in every write.
 */
// biome-ignore lint/suspicious/noExplicitAny: each type knows its own options and attributes; a list of types does not
export interface ValueFieldType<Options = any, Value extends ValueAttributeBase = any>
  extends FieldTypeBase<Options> {
  readonly shape: 'value'
  column(attribute: Value): FieldColumn
  compileCheck(attribute: Value): ValueCheck
  /** For defaults that are not plain values; undefined if the default is one. */
  compileDefault?(attribute: Value): ((report: ValueReport) => unknown) | undefined
  /** The JSON Schema of a value, excluding null, for documents. */
  jsonSchema(attribute: Value): TSchema
  /** The same for attributes of accounts, to which no other check applies. */
  accountSchema?(attribute: Value): TSchema
  /** The schema of a returned value in accounts, if it differs. */
  accountAnswerSchema?(attribute: Value): TSchema
  /** The stored form of a value that passed the schema, for accounts, where `compileCheck` does not run. */
  normalize?(value: unknown): unknown
  readonly filter: FilterRules<Value>
  graphql(attribute: Value): GraphqlValue
  /** The TypeScript type of a value, for generated types. */
  typescript(attribute: Value): string
  readonly index: IndexRules<Options>
  /** Undefined if only `exists` and `empty` are supported. */
  readonly comparable?: ComparableRules<Options>
  /** How the field's text is searched; omitted if it is not. */
  readonly search?: {
    /** `html`: tags are not searched. */
    readonly format: 'plain' | 'html'
    /** Whether it can be the title of an entry. */
    readonly isTitle: boolean
  }
}

/** The operators by which a field can be filtered, besides whether it has a value. */
export interface FilterRules<Value> {
  readonly operators: readonly OperatorName[]
  /** Also accepted, but not documented. */
  readonly alsoTaken?: readonly OperatorName[]
  /** The JSON Schema of the operand, if it differs from that of a value. */
  readonly operand?: TSchema
  /** Checks an operand that already fits the column, and may change it. */
  parse?(value: unknown, attribute: Value): ParsedValue
}

/** A field that refers to entries of other types by their ids.  */
// biome-ignore lint/suspicious/noExplicitAny: as above
export interface ReferenceFieldType<Options = any> extends FieldTypeBase<Options> {
  readonly shape: 'reference'
}

/** A field that holds items of components, in one JSON column. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export interface ComponentFieldType<Options = any> extends FieldTypeBase<Options> {
  readonly shape: 'components'
}

/** The definition of a field type, used everywhere in the service. */
export type FieldType = ValueFieldType | ReferenceFieldType | ComponentFieldType

/** All field types by name: the built-in ones, and those of plugins. */
export type FieldTypes = ReadonlyMap<string, FieldType>

/** The options of a field type in a schema file. */
export type OptionsOf<Options extends TProperties> = Static<TObject<Options>>

/**
 * Field types besides the built-in ones. Contribute in `register`: schema files are checked when the schemas
 * plugin initialises. Name a type like its plugin, or `<plugin>.<what>`.
 */
export const fieldTypes: ExtensionPoint<ValueFieldType> = extensionPoint('fieldTypes')

/** Infers the types of a field type's options and attributes for its members. */
export function defineFieldType<
  const Options extends TProperties,
  Value extends ValueAttributeBase = ValueAttributeBase & OptionsOf<Options>,
>(
  type: ValueFieldType<OptionsOf<Options>, Value> & { readonly options: Options },
): ValueFieldType<OptionsOf<Options>, Value> & { readonly options: Options } {
  return type
}
