import type { Client, Collection, TypeShape } from 'mortise-client'
import type { ContentTypes } from './content-types.ts'
import {
  bordersRecord,
  countries,
  countryRecord,
  currencyRecords,
  languageRecords,
  regionRecords,
  subregionRecords,
} from './records.ts'
import { type Counts, synchronise } from './synchronise.ts'

const languages = languageRecords()
const currencies = currencyRecords()
const regions = regionRecords()
const subregionCount = new Set(countries.map(({ subregion }) => subregion).filter(Boolean)).size

/** How often the import reports progress. */
export const recordCount =
  languages.length + currencies.length + regions.length + subregionCount + countries.length * 2

/** Imports everything in the order of its relations; `onProgress` is called after each record, with the step to which it belongs. */
export async function importCountries(
  client: Client<ContentTypes>,
  onProgress: (step: string) => void = () => undefined,
): Promise<ReadonlyMap<string, Counts>> {
  const summary = new Map<string, Counts>()

  async function step<Shape extends TypeShape>(
    name: string,
    collection: Collection<Shape>,
    key: keyof Shape['input'] & string,
    records: readonly Partial<Shape['input']>[],
  ) {
    const synchronised = await synchronise({ collection, key, records, onProgress: () => onProgress(name) })
    summary.set(name, synchronised.counts)
    return synchronised.ids
  }

  const languageIds = await step('languages', client.collection('language'), 'code', languages)
  const currencyIds = await step('currencies', client.collection('currency'), 'code', currencies)
  const regionCollection = client.collection('region')
  const topIds = await step('regions', regionCollection, 'name', regions)
  const regionIds = await step('subregions', regionCollection, 'name', subregionRecords(topIds))
  const references = { regions: regionIds, languages: languageIds, currencies: currencyIds }
  const records = countries.map((country) => countryRecord(country, references))
  const countryCollection = client.collection('country')
  const countryIds = await step('countries', countryCollection, 'cca3', records)
  const borders = countries.map((country) => bordersRecord(country, countryIds))
  await step('borders', countryCollection, 'cca3', borders)
  return summary
}
