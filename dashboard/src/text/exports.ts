import { catalogue } from './catalogue.ts'
import { common } from './common.ts'
import { navigation } from './navigation.ts'

export const exports = catalogue({
  title: navigation.exports,
  lead: [
    'Each file has the fields of the API as columns, the newest records first. Amounts are in minor units, such as 1999 for 19.99, and times are in UTC. For a part of a list, filter the list and export it there.',
    'Jede Datei hat die Felder der API als Spalten, die neuesten Einträge zuerst. Beträge sind in kleinsten Einheiten, etwa 1999 für 19,99, Zeiten in UTC. Für einen Teil einer Liste filtern Sie die Liste und exportieren dort.',
    'Cada archivo tiene los campos de la API como columnas, con lo más nuevo primero. Los importes van en unidades menores, como 1999 por 19,99, y las horas en UTC. Para una parte, filtre la lista y expórtela allí.',
  ],
  file: ['File', 'Datei', 'Archivo'],
  records: ['Records', 'Einträge', 'Registros'],
  export: common.exportCsv,
  exportNamed: ['Export CSV: {name}', 'CSV exportieren: {name}', 'Exportar CSV: {name}'],
  stop: ['Stop', 'Anhalten', 'Detener'],
  stopNamed: ['Stop the export of {name}', 'Export anhalten: {name}', 'Detener {name}'],
  reading: ['Reading', 'Wird gelesen', 'Leyendo'],
  progress: ['{n} of {total} read.', '{n} von {total} gelesen.', '{n} de {total} leídos.'],
  done: ['{n} exported', '{n} exportiert', '{n} exportados'],
  newestOnly: [
    'The newest {n} were exported. Filter the list to export older ones.',
    'Die neuesten {n} wurden exportiert. Filtern Sie die Liste für ältere.',
    'Se exportaron los {n} más nuevos. Filtre la lista para los anteriores.',
  ],
  none: ['There are none yet.', 'Es gibt noch keine.', 'Aún no hay.'],
  keys: [
    'Stock keys are exported from their pool under Stock and keys, because the file shows them in full.',
    'Keys werden aus ihrem Bestand unter Lager und Keys exportiert, weil die Datei sie ganz zeigt.',
    'Las claves se exportan desde su reserva en Existencias y claves, porque el archivo las muestra enteras.',
  ],
})
