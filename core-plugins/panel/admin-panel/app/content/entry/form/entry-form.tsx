import { useEffect, useMemo, useState } from 'react'
import type { DescribedAttribute } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Tabs } from '../../../ground/kit/tabs/tabs.tsx'
import { panelOptionsOf } from '../../schema/field-kinds.ts'
import { topFieldOf } from '../../schema/value-path.ts'
import { useEntrySession } from '../entry-session.ts'
import { ProblemMark } from '../notices/problem-mark.tsx'
import { FieldRows } from './field-rows.tsx'

/** All fields of the open entry, in tabs if its type has some. */
export function EntryForm() {
  const { type } = useEntrySession()
  const fields = type.attributes
  const tabs = useMemo(() => [...new Set(fields.map(tabOf))], [fields])
  if (tabs.length === 1) return <FieldRows attributes={fields} parent="" />
  return <TabbedForm fields={fields} tabs={tabs} />
}

interface TabbedFormProps {
  readonly fields: readonly DescribedAttribute[]
  readonly tabs: readonly string[]
}

function TabbedForm({ fields, tabs }: TabbedFormProps) {
  const { onReveal } = useEntrySession()
  const [selected, setSelected] = useState(tabs[0] ?? '')
  const fieldsOf = (tab: string) => fields.filter((field) => tabOf(field) === tab)
  useEffect(
    () =>
      onReveal((path) => {
        const field = fields.find(({ name }) => name === topFieldOf(path))
        if (field !== undefined) setSelected(tabOf(field))
      }),
    [onReveal, fields],
  )
  return (
    <Tabs
      label={t('entry.tabs')}
      selected={selected}
      onSelect={setSelected}
      items={tabs.map((tab) => ({
        id: tab,
        label: <TabLabel name={tab} fields={fieldsOf(tab)} isShown={tab === selected} />,
        content: <FieldRows attributes={fieldsOf(tab)} parent="" />,
      }))}
    />
  )
}

interface TabLabelProps {
  readonly name: string
  readonly fields: readonly DescribedAttribute[]
  readonly isShown: boolean
}

function TabLabel({ name, fields, isShown }: TabLabelProps) {
  return (
    <>
      {name === '' ? t('entry.firstTab') : name}
      {!isShown && <ProblemMark within={fields.map((field) => field.name)} />}
    </>
  )
}

const tabOf = (attribute: DescribedAttribute) => panelOptionsOf(attribute).tab ?? ''
