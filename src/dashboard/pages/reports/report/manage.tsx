import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import { labelAtMost } from "../../../../core/report/report-name.ts";
import { Visibility } from "../../../../core/report/report.ts";
import type { getOwnReport } from "../../../../actions/report/get-own-report.ts";
import { Button, Check, Choice, Form, FormField } from "../../../parts/form.tsx";
import { Card, Notice } from "../../../parts/state.tsx";
import { TextArea } from "../../../parts/text-area.tsx";
import { visibilityWords } from "../../../words/reports.ts";
import type { ReportShown } from "./scores.tsx";

interface Props {
  readonly report: ReportShown;
  readonly own: PersonAnswer<typeof getOwnReport>;
  readonly label: string | null;
}

/** For the report's author and the owner of its server. */
export function ManageReport({ report, own, label }: Props) {
  if (report.certified)
    return (
      <Card title="Your report">
        <Notice means="silenced">
          This report is certified: it is locked and cannot be deleted until its certificate ends.
        </Notice>
        {own.private_notes !== null && <Notes text={own.private_notes} />}
        {own.may_manage && <LabelForm label={label} />}
      </Card>
    );
  return (
    <>
      <Card title="Change it">
        <div class="columns">
          {own.may_manage && <LabelForm label={label} />}
          {own.may_manage && <VisibilityForm report={report} />}
          {own.may_describe && <Texts report={report} own={own} />}
        </div>
      </Card>
      {own.may_manage && <DeleteReport singleTests={own.single_tests} />}
    </>
  );
}

function Notes({ text }: { text: string }) {
  return (
    <>
      <h3>Private notes</h3>
      <p class="typed">{text}</p>
    </>
  );
}

function LabelForm({ label }: { label: string | null }) {
  return (
    <Form does="label">
      <FormField
        name="label"
        label="Label"
        value={label}
        maxLength={labelAtMost}
        hint="What you call this run, such as “with the old disk”. Only you see it. Leave it empty to take it off."
        of="label"
      />
      <Button>Save the label</Button>
    </Form>
  );
}

function VisibilityForm({ report }: { report: ReportShown }) {
  return (
    <Form does="visibility">
      <Choice
        name="visibility"
        label="Who may see it"
        value={report.visibility}
        of="visibility"
        options={Visibility.options.map((value) => [value, visibilityWords[value]] as const)}
        hint="The single tests of the report change with it."
      />
      <Button>Change visibility</Button>
    </Form>
  );
}

function Texts({ report, own }: Omit<Props, "label">) {
  return (
    <Form does="texts">
      <TextArea
        name="description"
        label="Description"
        hint="Everybody who may open the report can read it. At most 4,000 characters and 3 links."
        value={report.description}
        rows={5}
        of="texts"
      />
      {own.may_manage && (
        <TextArea
          name="private_notes"
          label="Private notes"
          hint="Only you can read them. At most 10,000 characters."
          value={own.private_notes}
          rows={3}
          of="texts"
        />
      )}
      <Button>Save</Button>
    </Form>
  );
}

function DeleteReport({ singleTests }: { singleTests: number }) {
  return (
    <Card title="Delete">
      <p>
        This deletes for good the report with its scores, upload and texts, its diagnosis and tuning advice
        {singleTests === 0
          ? ""
          : singleTests === 1
            ? ", and the single test that belongs to it"
            : `, and the ${singleTests} single tests that belong to it`}
        . Links to the report stop working, an offer loses it as evidence, and it no longer counts in the
        verdicts on its server.
      </p>
      <Form does="delete">
        <Check name="sure" label="Delete this report for good" />
        <Button danger>Delete the report</Button>
      </Form>
    </Card>
  );
}
