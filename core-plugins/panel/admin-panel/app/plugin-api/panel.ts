import { parse } from '@formatjs/icu-messageformat-parser'
import { useQuery as useAnyQuery } from '@tanstack/react-query'
import { navigate as navigateInBrowser } from 'wouter/use-browser-location'
import type {
  PanelModuleDefinition,
  PanelTexts,
  QueryOptions,
  QueryResult,
} from '../../panel-api/panel-api.ts'
import { queryClient } from '../api/query-client.ts'
import { language, type TextValues, translator } from '../i18n/translate.ts'

// What the declarations in ../../panel-api promise; conforms.ts holds it to them.
export { api } from '../api/client.ts'
export { useEntry } from '../entry/entry-session.ts'
export { useField } from '../entry/use-field.ts'
export { language } from '../i18n/translate.ts'
export { Badge } from '../kit/badge/badge.tsx'
export { Button, IconButton } from '../kit/button/button.tsx'
export { Checkbox } from '../kit/checkbox/checkbox.tsx'
export { Confirm, Dialog } from '../kit/dialog/dialog.tsx'
export { EmptyState } from '../kit/empty-state/empty-state.tsx'
export { FieldFrame } from '../kit/field/field.tsx'
export { Select } from '../kit/field/select.tsx'
export { NumberField, TextArea, TextField } from '../kit/field/text-field.tsx'
export { Icon } from '../kit/icon/icon.tsx'
export { Link } from '../kit/link/link.tsx'
export { Skeleton, Spinner } from '../kit/loading/loading.tsx'
export { Page } from '../kit/page/page.tsx'
export { Switch } from '../kit/switch/switch.tsx'
export { Tabs } from '../kit/tabs/tabs.tsx'
export { toast } from '../kit/toast/toast.tsx'
export { useAccess } from '../session/access.ts'
export { useSettings } from '../settings/use-settings.ts'

export const definePanelModule = (definition: PanelModuleDefinition): PanelModuleDefinition => definition

/** Hides the library behind it, so that plugins do not depend on its version. */
export function useQuery<Data>({ queryFn, ...options }: QueryOptions<Data>): QueryResult<Data> {
  const result = useAnyQuery({ ...options, queryFn: ({ signal }) => queryFn({ signal }) })
  const { data, error, isPending, isFetching, refetch } = result
  return { data, error, isPending, isFetching, refetch }
}

export const invalidate = (queryKey: readonly unknown[]): Promise<void> =>
  queryClient.invalidateQueries({ queryKey })

export const navigate = (path: string) => navigateInBrowser(`/admin${path}`)

/** Texts of plugins are parsed where they are used: only those of the panel go through its build. */
export function defineTexts<Name extends string>(texts: PanelTexts<Name>) {
  const all = { ...texts.en, ...texts[language()] } as Readonly<Record<string, string>>
  const fill = translator<Name>((name) => parse(all[name] ?? name))
  return (name: Name, values?: TextValues) =>
    values === undefined ? (all[name] ?? name) : fill(name, values)
}
