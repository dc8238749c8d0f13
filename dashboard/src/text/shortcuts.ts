import { catalogue } from './catalogue.ts'

/** The list of the keys that open something. */
export const shortcuts = catalogue({
  title: ['Keyboard shortcuts', 'Tastenkürzel', 'Atajos de teclado'],
  keyPalette: ['Open the command palette', 'Befehlspalette öffnen', 'Abrir la paleta'],
  keySend: [
    'Send a form from a text of several lines',
    'Ein Formular aus einem mehrzeiligen Text absenden',
    'Enviar un formulario desde un texto de varias líneas',
  ],
  keyUndo: [
    'Undo the last action, while its notice is shown',
    'Letzte Aktion rückgängig machen, solange der Hinweis zu sehen ist',
    'Deshacer la última acción mientras se ve su aviso',
  ],
  keySearch: ['Search this list', 'Diese Liste durchsuchen', 'Buscar en esta lista'],
  keyRows: [
    'Go to the next or the previous row',
    'Zur nächsten oder vorigen Zeile',
    'Ir a la fila siguiente o anterior',
  ],
  keyNew: [
    'Start the first action of the page',
    'Die erste Aktion der Seite beginnen',
    'Iniciar la primera acción de la página',
  ],
  keyHelp: ['Show keyboard shortcuts', 'Diese Kürzel zeigen', 'Ver estos atajos'],
  keyClose: [
    'Close a dialog, a menu or an open record',
    'Dialog, Menü oder geöffneten Eintrag schließen',
    'Cerrar un diálogo, un menú o un registro abierto',
  ],
  keyChart: [
    'Read the values of a chart',
    'Werte eines Diagramms lesen',
    'Leer los valores de un gráfico',
  ],
})
