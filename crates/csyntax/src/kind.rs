//! What a node is.

/// What a node is. Only what programs that work on trees need to tell apart has a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    // Declarations
    Struct,
    Union,
    Class,
    Enum,
    Field,
    EnumConstant,
    Function,
    Variable,
    Parameter,
    Typedef,
    Method,
    Namespace,
    Constructor,
    Destructor,
    ConversionFunction,
    TemplateParameter,
    FunctionTemplate,
    ClassTemplate,
    Using,
    Access,
    StaticAssert,
    // References
    TypeReference,
    MemberReference,
    LabelReference,
    OtherReference,
    // Expressions
    /// An expression that libclang does not tell about: most often an implicit conversion.
    Unexposed,
    Name,
    Member,
    Call,
    Integer,
    Floating,
    Imaginary,
    String,
    Character,
    Parenthesis,
    Unary,
    Subscript,
    Binary,
    CompoundAssignment,
    Conditional,
    Cast,
    CompoundLiteral,
    InitList,
    LabelAddress,
    StatementExpression,
    Generic,
    SizeOf,
    OtherExpression,
    // Statements
    Label,
    Compound,
    Case,
    Default,
    If,
    Switch,
    While,
    Do,
    For,
    Goto,
    IndirectGoto,
    Continue,
    Break,
    Return,
    Asm,
    Null,
    DeclarationStatement,
    OtherStatement,
    // The rest
    Attribute,
    Other,
}

impl Kind {
    pub(crate) fn of(cursor: i32) -> Kind {
        match cursor {
            2 => Kind::Struct,
            3 => Kind::Union,
            4 => Kind::Class,
            5 => Kind::Enum,
            6 => Kind::Field,
            7 => Kind::EnumConstant,
            8 => Kind::Function,
            9 => Kind::Variable,
            10 => Kind::Parameter,
            20 | 36 => Kind::Typedef,
            21 => Kind::Method,
            22 => Kind::Namespace,
            24 => Kind::Constructor,
            25 => Kind::Destructor,
            26 => Kind::ConversionFunction,
            27..=29 => Kind::TemplateParameter,
            30 => Kind::FunctionTemplate,
            31 | 32 => Kind::ClassTemplate,
            33..=35 => Kind::Using,
            39 => Kind::Access,
            602 => Kind::StaticAssert,
            43 => Kind::TypeReference,
            47 => Kind::MemberReference,
            48 => Kind::LabelReference,
            100 => Kind::Unexposed,
            101 => Kind::Name,
            102 => Kind::Member,
            103 => Kind::Call,
            106 | 130 => Kind::Integer,
            107 => Kind::Floating,
            108 => Kind::Imaginary,
            109 => Kind::String,
            110 => Kind::Character,
            111 => Kind::Parenthesis,
            112 => Kind::Unary,
            113 => Kind::Subscript,
            114 => Kind::Binary,
            115 => Kind::CompoundAssignment,
            116 => Kind::Conditional,
            117 | 124..=128 => Kind::Cast,
            118 => Kind::CompoundLiteral,
            119 => Kind::InitList,
            120 => Kind::LabelAddress,
            121 => Kind::StatementExpression,
            122 => Kind::Generic,
            136 => Kind::SizeOf,
            201 => Kind::Label,
            202 => Kind::Compound,
            203 => Kind::Case,
            204 => Kind::Default,
            205 => Kind::If,
            206 => Kind::Switch,
            207 => Kind::While,
            208 => Kind::Do,
            209 => Kind::For,
            210 => Kind::Goto,
            211 => Kind::IndirectGoto,
            212 => Kind::Continue,
            213 => Kind::Break,
            214 => Kind::Return,
            215 => Kind::Asm,
            230 => Kind::Null,
            231 => Kind::DeclarationStatement,
            400..=499 => Kind::Attribute,
            other if (40..=50).contains(&other) => Kind::OtherReference,
            other if (101..=199).contains(&other) => Kind::OtherExpression,
            other if (200..=299).contains(&other) => Kind::OtherStatement,
            _ => Kind::Other,
        }
    }

    /// Does it have a value?
    #[must_use]
    pub fn is_expression(self) -> bool {
        (Kind::Unexposed..=Kind::OtherExpression).contains(&self)
    }

    /// Does it do something? An expression followed by a semicolon is a statement by its place,
    /// not by its kind.
    #[must_use]
    pub fn is_statement(self) -> bool {
        (Kind::Label..=Kind::OtherStatement).contains(&self)
    }

    /// Does it give a name to something?
    #[must_use]
    pub fn is_declaration(self) -> bool {
        (Kind::Struct..=Kind::StaticAssert).contains(&self)
    }

    /// Is it a type with members or constants?
    #[must_use]
    pub fn is_tag(self) -> bool {
        matches!(self, Kind::Struct | Kind::Union | Kind::Class | Kind::Enum)
    }

    /// Is it a loop?
    #[must_use]
    pub fn is_loop(self) -> bool {
        matches!(self, Kind::While | Kind::Do | Kind::For)
    }
}
