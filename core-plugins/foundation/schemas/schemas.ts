export {
  type Attribute,
  type ComponentsAttribute,
  type ContributedAttribute,
  componentsOf,
  hasLinkTable,
  holdsComponents,
  isInverse,
  isList,
  isReference,
  isToMany,
  type ReferenceAttribute,
  targetNameOf,
  type ValueAttribute,
} from './attribute.ts'
export { assertFieldColumn, compileColumnCheck } from './checks/column-check.ts'
export { isUnique } from './checks/is-unique.ts'
export { isReservedInComponents, isReservedInTypes, snakeCase } from './checks/names.ts'
export { type SchemaCheck, schemaCheckService } from './checks/schema-check.ts'
export {
  type SchemaRule,
  type SchemaTrial,
  schemaRules,
  schemaTrialService,
  type TrialResult,
  type TypeProblem,
} from './checks/schema-trial.ts'
export { columnOf } from './column.ts'
export type { CachePolicy, ComponentType, ContentType, ContentTypeOptions } from './content-type.ts'
export {
  type Condition,
  defineFieldType,
  type FieldColumn,
  type FieldType,
  type FieldTypes,
  fieldTypes,
  type GraphqlScalar,
  type GraphqlScalarName,
  type GraphqlValue,
  graphqlScalarNames,
  type ParsedValue,
  type ValueAttributeBase,
  type ValueCheck,
  type ValueFieldType,
  type ValueReport,
} from './field-type.ts'
export type { ComponentAttribute } from './field-types/component.ts'
export type { DynamicZoneAttribute } from './field-types/dynamic-zone.ts'
export { depthRule, maxDepth } from './field-types/json.ts'
export type { MediaAttribute, MediaKind } from './field-types/media.ts'
export type { RelationAttribute } from './field-types/relation.ts'
export { isStorable, storableRule, type TextAttribute } from './field-types/texts.ts'
export { attributeSchema } from './file-attribute.ts'
export { writeEditorSchemas } from './files/editor-schemas.ts'
export type { SchemaProblem } from './files/file-problem.ts'
export { type FileKind, fileSchemas } from './files/file-schema.ts'
export { findIncompleteDrafts, incompleteDraftsText } from './files/incomplete-drafts.ts'
export { declaredBy, readSchemaTexts, type SchemaTexts } from './files/read-files.ts'
export { relaxedSchemas } from './files/relaxed-schemas.ts'
export {
  type Comparable,
  type ComparingOperator,
  type ComparisonName,
  type FilterOperator,
  filterOperators,
  isComparison,
  isPlaceOperator,
  type OperatorArgument,
  type OperatorName,
  operatorNamed,
  operatorsAsking,
  type PlaceOperatorName,
  type Question,
  textOperators,
  valueOperators,
} from './filter-operators.ts'
export { createJsonShapes } from './json-shape-of.ts'
export {
  type ExtendableType,
  type SchemaFolder,
  schemaFolders,
  type TypeExtension,
  typeExtensions,
} from './plugins/schema-contributions.ts'
export {
  type ContentTable,
  contentTables,
  type LinkTable,
  type Schemas,
  schemasService,
} from './schemas-service.ts'
export { schemasDir, schemasFolderOf } from './settings.ts'
export { generateTypes } from './typescript/typescript-types.ts'
export { hasUuid, uuidColumn } from './uuid-column.ts'
