import type { Disposable } from '../../base/disposable.ts';
import type { ParameterFault, ParameterFormView, TypedValue } from '../../protocol/parameterForm.ts';

/** A form that the results panel shows until the user answers it. */
export interface PanelForm {
  readonly view: () => ParameterFormView;
  /** Fires when columns became known, so that `view` shows more. */
  readonly onChange: (listener: () => void) => Disposable;
  readonly onFocus: (index: number) => void;
  readonly faultsOf: (values: readonly TypedValue[]) => readonly ParameterFault[];
}

type FormValues = readonly TypedValue[] | undefined;

interface OpenForm {
  readonly form: PanelForm;
  readonly resolve: (answer: FormValues) => void;
}

/** Shows one form at a time. A new form cancels the one before. */
export class PanelForms {
  readonly #send: (view: ParameterFormView | null) => void;
  #openForm: OpenForm | undefined;

  constructor(send: (view: ParameterFormView | null) => void) {
    this.#send = send;
  }

  /** `reveal` brings the page to the front, with the focus. */
  async prompt(form: PanelForm, reveal: () => PromiseLike<unknown>): Promise<FormValues> {
    this.cancel();
    const { promise, resolve } = Promise.withResolvers<FormValues>();
    const open = { form, resolve };
    this.#openForm = open;
    const listener = form.onChange(() => this.send());
    try {
      this.send();
      await reveal();
      return await promise;
    } finally {
      listener.dispose();
      if (this.#openForm === open) {
        this.#openForm = undefined;
        this.#send(null);
      }
    }
  }

  /** Sends the open form to a page that may have loaded again. */
  send(): void {
    if (this.#openForm) this.#send(this.#openForm.form.view());
  }

  focus(id: string, index: number): void {
    this.#formOf(id)?.form.onFocus(index);
  }

  submit(id: string, values: readonly TypedValue[]): ParameterFault[] {
    const open = this.#formOf(id);
    const faults = open?.form.faultsOf(values) ?? [];
    if (faults.length === 0) open?.resolve(values);
    return [...faults];
  }

  cancel(id = this.#openForm?.form.view().id): void {
    if (id !== undefined) this.#formOf(id)?.resolve(undefined);
  }

  #formOf(id: string): OpenForm | undefined {
    return this.#openForm?.form.view().id === id ? this.#openForm : undefined;
  }
}
