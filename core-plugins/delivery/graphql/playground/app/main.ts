import { buildClientSchema, getIntrospectionQuery } from 'graphql'
import { createDocs } from './docs.ts'
import { jsonEditor, queryEditor, resultView } from './editors.ts'
import { button, element } from './element.ts'
import { createHistory } from './history.ts'
import { current, keepCurrent } from './kept.ts'
import { tidied } from './operations.ts'
import { createRunner } from './runner.ts'
import { execute } from './service.ts'
import { createToolbar } from './toolbar.ts'

const example = `# Ctrl and Space complete, Ctrl and Enter run. The schema stands beside.
# { articles(limit: 5) { data { id title } pagination { total } } }

{
  __schema {
    queryType {
      fields {
        name
        description
      }
    }
  }
}
`

/** The width from which the schema fits beside the editors. */
const wide = matchMedia('(min-width: 64rem)')

const onRun = () => void runner.run()
const onChange = () => keepCurrent({ query: query.text(), variables: variables.text() })
const kept = current() ?? { query: example, variables: '' }
const query = queryEditor({ ...{ label: 'Operation', text: kept.query, onChange, onRun }, onLookUp: lookUp })
const variables = jsonEditor({ label: 'Variables', text: kept.variables, onChange, onRun })
const headers = jsonEditor({ label: 'Headers', text: '', onRun })
const result = resultView('Answer')
const status = element('p', { class: 'status', role: 'status' })
const docs = createDocs()
const history = createHistory((operation) => {
  query.replace(operation.query)
  variables.replace(operation.variables)
  if (!wide.matches) show(undefined)
  query.focus()
})
const aside = element('aside', { class: 'side', hidden: true, 'aria-label': 'Schema and history' })
const toolbar = createToolbar({
  run: onRun,
  stop: () => runner.stop(),
  tidy: () => query.replace(tidied(query.text())),
  showDocs: (isShown) => show(isShown ? 'docs' : undefined),
  showHistory: (isShown) => show(isShown ? 'history' : undefined),
  callerChanged: () => void readSchema(),
})
const runner = createRunner({
  ...{ query, variables, headers, result },
  caller: toolbar.caller,
  report: (text) => status.replaceChildren(text),
  changed(isRunning) {
    toolbar.setRunning(isRunning)
    history.draw()
  },
})

function show(panel: 'docs' | 'history' | undefined) {
  aside.hidden = panel === undefined
  aside.replaceChildren(...(panel === undefined ? [] : [panel === 'docs' ? docs.host : history.host]))
  toolbar.setOpen(panel)
}

function lookUp(type: string | undefined, field: string | undefined) {
  show('docs')
  docs.show(type, field)
}

/** Reads the schema for the permissions of the caller. */
async function readSchema() {
  const outgoing = { query: getIntrospectionQuery({ inputValueDeprecation: true }), caller: toolbar.caller() }
  try {
    const { text } = await execute(outgoing, AbortSignal.timeout(30_000))
    const { data, errors } = JSON.parse(text)
    const schema = data ? buildClientSchema(data) : undefined
    query.useSchema(schema)
    docs.useSchema(schema, errors?.[0]?.message ?? 'There is no schema for this caller.')
  } catch (error) {
    docs.useSchema(undefined, error instanceof Error ? error.message : String(error))
  }
}

/** Two editors in tabs. */
function inputTabs(): HTMLElement {
  const hosts = { Variables: variables.host, Headers: headers.host }
  const panel = element('div', { class: 'tab-panel', role: 'tabpanel', id: 'inputs' })
  const tabs = Object.entries(hosts).map(([name, host]) => {
    const tab = button(name, () => select(tab, host), {
      class: 'tab',
      role: 'tab',
      'aria-controls': 'inputs',
    })
    return tab
  })
  const select = (chosen: HTMLElement, host: HTMLElement) => {
    for (const tab of tabs) tab.ariaSelected = String(tab === chosen)
    panel.setAttribute('aria-label', chosen.textContent ?? '')
    panel.replaceChildren(host)
  }
  if (tabs[0] !== undefined) select(tabs[0], variables.host)
  return element(
    'div',
    { class: 'inputs' },
    element('div', { class: 'tabs', role: 'tablist' }, ...tabs),
    panel,
  )
}

// The mode that was chosen in the panel.
const mode = localStorage.getItem('mortise.mode')
if (mode === 'light' || mode === 'dark') document.documentElement.dataset.mode = mode
document.body.replaceChildren(
  toolbar.host,
  element(
    'main',
    { class: 'work' },
    element('div', { class: 'pane' }, element('div', { class: 'query' }, query.host), inputTabs()),
    element('div', { class: 'pane answer' }, element('div', { class: 'result' }, result.host), status),
    aside,
  ),
)
history.draw()
if (wide.matches) show('docs')
void readSchema()
query.focus()
