import { catalogue } from './catalogue.ts'

/** Texts of lists, which are loaded with the first of them. */
export const lists = catalogue({
  id: ['ID', 'ID', 'ID'],
  currency: ['Currency', 'Währung', 'Moneda'],
  sort: ['Sort by', 'Sortieren nach', 'Ordenar por'],
  ascending: ['{column}, lowest first', '{column}, aufsteigend', '{column}, ascendente'],
  descending: ['{column}, highest first', '{column}, absteigend', '{column}, descendente'],
  earliest: [
    '{column}, earliest first',
    '{column}, früheste zuerst',
    '{column}, más antiguos primero',
  ],
  latest: [
    '{column}, latest first',
    '{column}, späteste zuerst',
    '{column}, más recientes primero',
  ],
  tools: ['Filter', 'Filtern', 'Filtrar'],
  toolsChosen: ['Filter ({n})', 'Filtern ({n})', 'Filtrar ({n})'],
  columns: ['Columns', 'Spalten', 'Columnas'],
  search: ['Search', 'Suchen', 'Buscar'],
  nothingMatches: [
    'Nothing matches {filters}.',
    'Nichts entspricht {filters}.',
    'Nada coincide con {filters}.',
  ],
  daysIn: ['Days in {zone}', 'Tage in {zone}', 'Días en {zone}'],
  filterOf: ['“{name}: {value}”', '„{name}: {value}“', '«{name}: {value}»'],
  ownFilters: ['Own filters', 'Eigene Filter', 'Filtros propios'],
  usualSort: ['Usual order', 'Übliche Reihenfolge', 'Orden habitual'],
  view: ['View', 'Ansicht', 'Vista'],
  first: ['First page', 'Erste Seite', 'Primera página'],
  fromFirstPage: [
    'The page in the address does not exist, so the list begins at its first page.',
    'Die Seite in der Adresse gibt es nicht, daher beginnt die Liste vorn.',
    'La página de la dirección no existe, así que la lista empieza por la primera.',
  ],
  csvHasAll: [
    'The file has every column.',
    'Die Datei enthält alle Spalten.',
    'El archivo tiene todas las columnas.',
  ],
  exportChosen: ['Export selected', 'Auswahl exportieren', 'Exportar selección'],
  previous: ['Previous', 'Zurück', 'Anterior'],
  next: ['Next', 'Weiter', 'Siguiente'],
  range: ['{from}–{to} of {total}', '{from}–{to} von {total}', '{from}–{to} de {total}'],
  csvIncomplete: [
    'The file has the first {n} records. Filter the list to export the others.',
    'Die Datei enthält die ersten {n} Einträge. Filtern Sie die Liste für die übrigen.',
    'El archivo tiene los primeros {n} registros. Filtre la lista para exportar los demás.',
  ],
})
