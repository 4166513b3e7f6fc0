import { defineTexts } from 'mortise/panel'

export const t = defineTexts({
  en: {
    panel: 'Search engines',
    widget: 'Search engines',
    saveFirst: 'Save the entry first: then its meta fields are checked here.',
    none: 'Entries of this type have no meta fields.',
    empty: 'empty',
    tooLong: 'too long',
    good: 'good',
    length: '{length} of {limit} characters',
    noTitle: 'No title yet',
    noDescription: 'Without a description, search engines show some sentence of the page.',
    allGood: 'The entries changed last are complete.',
    problems: '{count, plural, one {# field} other {# fields}}',
  },
  de: {
    panel: 'Suchmaschinen',
    widget: 'Suchmaschinen',
    saveFirst: 'Speichern Sie den Eintrag zuerst: Dann werden seine Metafelder hier geprüft.',
    none: 'Einträge dieser Art haben keine Metafelder.',
    empty: 'leer',
    tooLong: 'zu lang',
    good: 'gut',
    length: '{length} von {limit} Zeichen',
    noTitle: 'Noch kein Titel',
    noDescription: 'Ohne Beschreibung zeigen Suchmaschinen irgendeinen Satz der Seite.',
    allGood: 'Die zuletzt geänderten Einträge sind vollständig.',
    problems: '{count, plural, one {# Feld} other {# Felder}}',
  },
})
