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
export { columnOf } from './column.ts'
export { assertFieldColumn, compileColumnCheck } from './column-check.ts'
export type { CachePolicy, ComponentType, ContentType, ContentTypeOptions } from './content-type.ts'
export { writeEditorSchemas } from './editor-schemas.ts'
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
export type { SchemaProblem } from './file-problem.ts'
export { type FileKind, fileSchemas } from './file-schema.ts'
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
export { findIncompleteDrafts, incompleteDraftsText } from './incomplete-drafts.ts'
export { isUnique } from './is-unique.ts'
export { createJsonShapes } from './json-shape-of.ts'
export { isReservedInComponents, isReservedInTypes, snakeCase } from './names.ts'
export { declaredBy, readSchemaTexts, type SchemaTexts } from './read-files.ts'
export { relaxedSchemas } from './relaxed-schemas.ts'
export { type SchemaCheck, schemaCheckService } from './schema-check.ts'
export {
  type ExtendableType,
  type SchemaFolder,
  schemaFolders,
  type TypeExtension,
  typeExtensions,
} from './schema-contributions.ts'
export {
  type SchemaRule,
  type SchemaTrial,
  schemaRules,
  schemaTrialService,
  type TrialResult,
  type TypeProblem,
} from './schema-trial.ts'
export {
  type ContentTable,
  contentTables,
  type LinkTable,
  type Schemas,
  schemasService,
} from './schemas-service.ts'
export { schemasDir, schemasFolderOf } from './settings.ts'
export { generateTypes } from './typescript-types.ts'
export { hasUuid, uuidColumn } from './uuid-column.ts'
