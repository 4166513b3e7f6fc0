/*
 * What nearly every screen uses. As an export of the application's start it is in the first script; otherwise the build
 * would make dozens of small ones, one for each set of screens that share something.
 */
export { admin } from './api/admin.ts'
export { entryAddress, entryKey, hasDraftsBeside, isNewAt } from './entry/entry-address.ts'
export { fieldKindOf, panelOptionsOf, useFieldKind } from './fields/registry.ts'
export { numberText } from './i18n/number-text.ts'
export { problemText } from './i18n/problem-text.ts'
export { Badge } from './kit/badge/badge.tsx'
export { Checkbox } from './kit/checkbox/checkbox.tsx'
export { FieldFrame } from './kit/field/field.tsx'
export { Select } from './kit/field/select.tsx'
export { usePausedText } from './kit/field/use-paused-text.ts'
export { useIsNarrow } from './kit/page/use-is-narrow.ts'
export { Popover } from './kit/popover/popover.tsx'
export { formatDay, formatMoment } from './list/cells/format.ts'
export { useEntries } from './list/data/use-entries.ts'
export { useTitles } from './list/data/use-titles.ts'
export { stateFromQuery, stateToQuery } from './list/state/list-state.ts'
export { PluginPart } from './plugins/plugin-part.tsx'
export { runAction } from './plugins/run-action.ts'
export { StateLabel } from './workflow/state-label.tsx'
export { stateNamed } from './workflow/ways.ts'
