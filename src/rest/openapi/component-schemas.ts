import { PageInfo } from "../../contract/endpoint/page.ts";
import { PlanName } from "../../core/access/plan.ts";
import { Role, Scope } from "../../core/access/scope.ts";
import { TokenDescription, TokenWindow } from "../../core/access/token-description.ts";
import { AlertCondition, AlertMetric, AlertRule, RuleState } from "../../core/alert/alert-rule.ts";
import {
  Actor,
  Alert,
  AlertKind,
  AlertStatus,
  AlertedEvent,
  ResolutionReason,
} from "../../core/alert/alert.ts";
import { ChannelDelivery, Delivery, DeliveryReason, DeliveryStatus } from "../../core/alert/delivery.ts";
import { EventRule } from "../../core/alert/event-rule.ts";
import { AutoBenchJob, JobStage, JobStatus, JobTrigger } from "../../core/auto-bench/job.ts";
import { AutoBenchTarget, TargetKind } from "../../core/auto-bench/target.ts";
import { AccountEvent, EventCategory, EventSeverity, ServerEvent } from "../../core/event/server-event.ts";
import { Maintenance } from "../../core/maintenance/server-maintenance.ts";
import { MemoryIssueCode } from "../../core/memory-report/comparability.ts";
import {
  PointChange,
  PointChanges,
  SuspectChange,
  SuspectChanges,
} from "../../core/memory-report/compared-findings.ts";
import { ClassChange, GameObjectChange, OwnerChange } from "../../core/memory-report/compared-lists.ts";
import { MemoryComparison } from "../../core/memory-report/comparison.ts";
import { MemoryDiagnosis } from "../../core/memory-report/memory-diagnosis.ts";
import {
  AccountMemoryReport,
  MemoryReport,
  MemoryReportDetail,
  MemoryReportKind,
  MemoryReportSchema,
} from "../../core/memory-report/memory-report.ts";
import { MetricSeries } from "../../core/metric/metric-series.ts";
import {
  ComparedPeriod,
  FieldComparison,
  PeriodCapacity,
  PeriodComparison,
  PeriodSide,
} from "../../core/metric/period-comparison.ts";
import { Range } from "../../core/metric/period.ts";
import { Region, World } from "../../core/metric/worlds.ts";
import { Sample } from "../../core/metric/sample.ts";
import { Aggregation, SeriesFieldName } from "../../core/metric/series-field.ts";
import { FieldSummary } from "../../core/metric/summary.ts";
import { MonitoringOverview } from "../../core/monitoring/overview.ts";
import { Evidence, Offer, OfferType } from "../../core/offer/offer.ts";
import { Category } from "../../core/profile/category.ts";
import {
  ChangeStatus,
  ComparabilityLevel,
  IssueSeverity,
  ProfileComparison,
  Side,
  ProfileIssueCode,
} from "../../core/profile/profile-comparison.ts";
import { ProfileDetail } from "../../core/profile/profile-detail.ts";
import { AccountProfile, KeyPoint, ProfileSummary } from "../../core/profile/profile.ts";
import { VerdictCaveat } from "../../core/report/before-after/caveats.ts";
import { RefusalCode, VerdictRefusal } from "../../core/report/before-after/refusals.ts";
import { BeforeAfterVerdict, SideSummary } from "../../core/report/before-after/verdict.ts";
import { ComparisonCaveat } from "../../core/report/caveats.ts";
import { MetricKey, ReportComparison } from "../../core/report/compare.ts";
import { Diagnosis } from "../../core/report/diagnosis/diagnosis.ts";
import { DiagnosisCode, DiagnosisFinding } from "../../core/report/diagnosis/finding.ts";
import { StopReason, TestOutcome } from "../../core/report/payload-test.ts";
import {
  BenchmarkMode,
  Hardware,
  Multipliers,
  Report,
  ReportDetail,
  ReportSource,
  Scores,
  ServerSoftware,
  SubScores,
  Visibility,
} from "../../core/report/report.ts";
import {
  AreaAdvice,
  Recommendation,
  TuningArea,
  TuningCode,
} from "../../core/report/tuning/recommendation.ts";
import { TuningAdvice } from "../../core/report/tuning/tuning-advice.ts";
import { Collectable } from "../../core/server/collection.ts";
import { ComparableGroup, ExclusionReason } from "../../core/server/regression/group.ts";
import { RegressionVerdict } from "../../core/server/regression/verdict.ts";
import { GroupColor, ServerGroup } from "../../core/server/server-group.ts";
import { Server } from "../../core/server/server.ts";
import { PluginStep, ServerState, ServerStatus, SiteStep } from "../../core/server/status.ts";
import { FleetSoftware, FleetVersion, VersionedPart } from "../../core/software/fleet-versions.ts";
import { InstalledSoftware, RunningSoftware } from "../../core/software/running-software.ts";
import { UnitTest, UnitTestSoftware, UnitTestDetail, UnitTestMode } from "../../core/unit-test/unit-test.ts";
import type { z } from "zod";

/** Domain types by their schema name in the OpenAPI documents. */
export const componentSchemas: Readonly<Record<string, z.ZodType>> = {
  Hardware,
  Multipliers,
  PageInfo,
  PointChange,
  ComparedProfile: Side,
  Scores,
  ServerSoftware,
  SideSummary,
  SubScores,
  SuspectChange,
  AccountEvent,
  AccountMemoryReport,
  AccountProfile,
  AlertActor: Actor,
  Aggregation,
  Alert,
  AlertCondition,
  AlertKind,
  AlertMetric,
  AlertRule,
  AlertStatus,
  AlertedEvent,
  AreaAdvice,
  AutoBenchJob,
  AutoBenchTarget,
  BeforeAfterVerdict,
  BenchmarkMode,
  ProfileCategory: Category,
  ChangeStatus,
  ChannelDelivery,
  ClassChange,
  Collectable,
  ComparabilityLevel,
  ComparableGroup,
  ComparisonCaveat,
  Delivery,
  DeliveryReason,
  DeliveryStatus,
  Diagnosis,
  DiagnosisCode,
  DiagnosisFinding,
  EventCategory,
  FleetSoftware,
  FleetVersion,
  InstalledSoftware,
  EventRule,
  EventSeverity,
  Evidence,
  ExclusionReason,
  FieldSummary,
  GameObjectChange,
  GroupColor,
  IssueSeverity,
  JobStage,
  JobStatus,
  JobTrigger,
  ProfileKeyPoint: KeyPoint,
  Maintenance,
  MemoryComparison,
  MemoryDiagnosis,
  MemoryIssueCode,
  MemoryReport,
  MemoryReportDetail,
  MemoryReportKind,
  MemoryReportSchema,
  MetricKey,
  MetricSeries,
  MonitoringOverview,
  Offer,
  OfferType,
  OwnerChange,
  ComparedPeriod,
  FieldComparison,
  PeriodCapacity,
  PeriodComparison,
  PeriodSide,
  PlanName,
  PluginStep,
  PointChanges,
  ProfileComparison,
  ProfileDetail,
  ProfileIssueCode,
  ProfileSummary,
  MetricRange: Range,
  Recommendation,
  RefusalCode,
  Region,
  RegressionVerdict,
  Report,
  ReportComparison,
  ReportDetail,
  ReportSource,
  ResolutionReason,
  Role,
  RuleState,
  RunningSoftware,
  Sample,
  Scope,
  SeriesFieldName,
  Server,
  ServerEvent,
  ServerGroup,
  ServerState,
  ServerStatus,
  SiteStep,
  StopReason,
  SuspectChanges,
  TargetKind,
  TestOutcome,
  TokenDescription,
  RateWindow: TokenWindow,
  TuningAdvice,
  TuningArea,
  TuningCode,
  UnitTest,
  UnitTestSoftware,
  UnitTestDetail,
  UnitTestMode,
  VersionedPart,
  VerdictCaveat,
  VerdictRefusal,
  Visibility,
  World,
};
