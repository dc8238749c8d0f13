import { catalogue } from './catalogue.ts'

export const stock = catalogue({
  title: ['Stock', 'Lager', 'Existencias'],
  available: ['Can be sold now', 'Jetzt verkäuflich', 'Se puede vender ahora'],
  onHand: ['In stock', 'Auf Lager', 'En almacén'],
  reserved: [
    'Reserved, or awaited by paid orders',
    'Gehalten, oder von bezahlten Bestellungen erwartet',
    'Retenidos, o esperados por pedidos pagados',
  ],
  sold: ['Sold', 'Verkauft', 'Vendidos'],
  threshold: ['Low at', 'Niedrig ab', 'Bajo desde'],
  low: ['Low stock', 'Lager niedrig', 'Existencias bajas'],
  unlimited: ['Unlimited', 'Unbegrenzt', 'Ilimitado'],
  export: ['Export all keys', 'Alle Keys exportieren', 'Exportar todas las claves'],
  exportLead: [
    'Downloads a CSV file that shows the keys in full. The download address works for 15 minutes.',
    'Lädt eine CSV-Datei mit den vollen Keys herunter. Die Adresse gilt 15 Minuten.',
    'Descarga un archivo CSV con las claves completas. La dirección vale 15 minutos.',
  ],
  deleteAll: ['Delete unsold keys', 'Unverkaufte Keys löschen', 'Eliminar claves sin vender'],
  deleteAllLead: [
    'Removes {n} unsold keys for good. Keys that are reserved by unpaid orders stay.',
    'Entfernt {n} unverkaufte Keys endgültig. Keys, die unbezahlte Bestellungen halten, bleiben.',
    'Elimina {n} claves sin vender para siempre. Las que retienen pedidos sin pagar se conservan.',
  ],
  deleteNumber: ['Delete {n} keys', '{n} Keys löschen', 'Eliminar {n} claves'],
  deleteWord: ['delete', 'löschen', 'eliminar'],
  batches: ['Batches', 'Chargen', 'Lotes'],
  noBatches: [
    'No keys were added yet.',
    'Es wurden noch keine Keys hinzugefügt.',
    'Aún no se añadieron claves.',
  ],
  addedAt: ['Added', 'Hinzugefügt', 'Añadido'],
  batch: ['Batch', 'Charge', 'Lote'],
  importOf: ['Import {id}', 'Import {id}', 'Importación {id}'],
  withoutImport: ['Added without an import', 'Ohne Import hinzugefügt', 'Añadidas sin importación'],
  keys: ['Keys', 'Keys', 'Claves'],
  hold: ['Hold back', 'Zurückhalten', 'Retener'],
  release: ['Release', 'Freigeben', 'Liberar'],
})
