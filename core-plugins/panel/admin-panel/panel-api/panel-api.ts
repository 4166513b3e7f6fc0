/// <reference path="./styles.d.ts" preserve="true" />
/**
 * `mortise/panel`: the API for a plugin's part of the panel, in addition to React. These are declarations only: the code is the
 * panel's own and runs in browsers. Anything not exported here may change at any time; changes to this API are announced in the
 * changelog. See docs/panel-plugins.md.
 */
export type {
  ContentAction,
  DescribedAttribute,
  DescribedComponent,
  DescribedType,
  DescribedWorkflow,
} from '../../../../client/admin.ts'
export type { ErrorDetail, MortiseError, SendOptions } from '../../../../client/client.ts'
export * from './data.ts'
export * from './definition.ts'
export * from './entry.ts'
export * from './kit.ts'
